package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

const emulatorAt = "http://127.0.0.1:8080"

// If an emulator is set, both addresses must be there, whether from the block or the environment.
func TestConfigOnlyTheEmulator(t *testing.T) {
	t.Parallel()
	for address, allowed := range map[string]bool{
		emulatorAt:                 true,
		emulatorAt + "/a/b/":       true,
		"HTTP://127.0.0.1:8080/":   true,
		"https://127.0.0.1:8080":   false,
		"http://127.0.0.1:8081":    false,
		"http://127.0.0.1":         false,
		"http://localhost:8080":    false,
		"https://api.example.com":  false,
		"http://127.0.0.1.test:80": false,
	} {
		for _, name := range []string{"auth_url", "base_url"} {
			b := with("auth_url", emulatorAt).and("base_url", emulatorAt)
			_, _, fromBlock := b.and(name, address).read(t, "EMULATOR_URL", emulatorAt)
			_, _, fromEnvironment := b.and(name, nil).read(t, "EMULATOR_URL", emulatorAt,
				strings.ToUpper(name), address)
			for _, diags := range []diag.Diagnostics{fromBlock, fromEnvironment} {
				if allowed && len(diags) == 0 {
					continue
				}
				if !slices.Equal(paths(diags), []string{name}) || allowed || !strings.Contains(
					diags[0].Detail(), "is not at "+emulatorAt+", the emulator that NOTIFICATION_EMULATOR_URL") {
					t.Errorf("%s as %s: %v", address, name, diags)
				}
			}
		}
	}
	// An invalid emulator address is an error, so that no request is made.
	for _, emulator := range []string{
		"127.0.0.1:8080", "http://", "http://127.0.0.1/path", "http://canary@127.0.0.1", " ",
	} {
		_, _, diags := with("system", nil).read(t, "EMULATOR_URL", emulator)
		if got := summaries(diags); !slices.Equal(got,
			[]string{"Invalid environment variable NOTIFICATION_EMULATOR_URL"}) {
			t.Errorf("%q: %q", emulator, got)
		}
	}
}
