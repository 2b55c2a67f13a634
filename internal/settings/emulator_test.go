package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Where an emulator is named, both addresses must be there, wherever they come from.
func TestConfigOnlyTheEmulator(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		emulator, address string
		allowed           bool
	}{
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{"http://127.0.0.1:8080/", "http://127.0.0.1:8080/a/b/", true},
		{"http://LOCALHOST:8080", "http://localhost:8080", true},
		{"HTTPS://emulator", "https://EMULATOR:443/x", true},
		{"http://localhost:80", "http://localhost", true},
		{"http://[::1]:8080", "http://[::1]:8080", true},
		{"http://127.0.0.1:8080", "https://api.example.com", false},
		{"http://127.0.0.1:8080", "https://127.0.0.1:8080", false},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8081", false},
		{"http://127.0.0.1:8080", "http://127.0.0.1", false},
		{"http://127.0.0.1:8080", "http://localhost:8080", false},
		{"http://127.0.0.1:8080", "http://127.0.0.1.example.com:8080", false},
		{"http://127.0.0.1", "https://127.0.0.1", false},
		{"http://127.0.0.1:8080", "http://api.example.com:8080", false},
	} {
		for _, attribute := range []string{"auth_url", "base_url"} {
			b := with("auth_url", test.emulator).and("base_url", test.emulator)
			_, _, fromBlock := b.and(attribute, test.address).read(t, "EMULATOR_URL", test.emulator)
			_, _, fromEnvironment := b.and(attribute, nil).read(t, "EMULATOR_URL", test.emulator,
				strings.ToUpper(attribute), test.address)
			for source, diags := range map[string]diag.Diagnostics{
				"block": fromBlock, "environment": fromEnvironment,
			} {
				if got := paths(diags); len(got) == 0 != test.allowed ||
					!test.allowed && !slices.Equal(got, []string{attribute}) {
					t.Errorf("%s from the %s, at %s: errors at %q", test.address, source,
						test.emulator, got)
				}
			}
			says := []string{
				"is not at " + test.emulator + ", ", "NOTIFICATION_EMULATOR_URL", "notifies nobody",
				"Leave the attribute out",
			}
			for _, part := range says {
				if !test.allowed && !strings.Contains(fromBlock[0].Detail(), part) {
					t.Errorf("%q does not say %q", fromBlock[0].Detail(), part)
				}
			}
		}
	}
}

// With a value that cannot be read, no request is made.
func TestConfigRefusesAnInvalidEmulator(t *testing.T) {
	t.Parallel()
	for _, emulator := range []string{
		"127.0.0.1:8080", "localhost", "ftp://127.0.0.1", "http://", "http://:8080", "http://a b",
		"http://127.0.0.1/path", "http://canary@127.0.0.1", "http://127.0.0.1?q",
		"http://127.0.0.1#f", "http://127.0.0.1:99999", " ",
	} {
		_, _, diags := with("system", nil).read(t, "EMULATOR_URL", emulator)
		if len(diags) != 1 || !diags.HasError() ||
			!strings.Contains(diags[0].Summary(), emulatorVariable) ||
			strings.Contains(diags[0].Detail(), "canary") {
			t.Errorf("%q: %v", emulator, diags)
		}
	}
}

// An address that is not known yet is neither wrong nor right; once it is known it is checked.
func TestConfigEmulatorAndUnknownAddress(t *testing.T) {
	t.Parallel()
	b := with("auth_url", "http://127.0.0.1:1").and("base_url", unknown)
	_, names, diags := b.read(t, "EMULATOR_URL", "http://127.0.0.1:1")
	if len(diags) > 0 || !slices.Equal(names, []string{"base_url"}) {
		t.Errorf("unknown %v, %v", names, diags)
	}
	_, _, diags = b.and("base_url", "https://b").read(t, "EMULATOR_URL", "http://127.0.0.1:1")
	if got := paths(diags); !slices.Equal(got, []string{"base_url"}) {
		t.Errorf("errors at %q", got)
	}
}
