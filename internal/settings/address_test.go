package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func TestReadAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a/":                     "https://a/oauth2/token",
		"https://a/x/oauth2/token":       "https://a/x/oauth2/token",
		"https://a/x/oauth2/token//":     "https://a/x/oauth2/token//",
		"https://a:65535/t%2Fx":          "https://a:65535/t%2Fx/oauth2/token",
		"https://a/t%2Fx/oauth2/token/":  "https://a/t%2Fx/oauth2/token/",
		"https://M\u00dcNCHEN.test:8443": "https://xn--mnchen-3ya.test:8443/oauth2/token",
		"https://m%C3%BCnchen.test/x":    "https://xn--mnchen-3ya.test/x/oauth2/token",
		"https://a_b--c.test":            "https://a_b--c.test/oauth2/token",
		"https://a_b.m\u00fcnchen.test":  "https://a_b.xn--mnchen-3ya.test/oauth2/token",
		"http://LOCALHOST:1":             "http://localhost:1/oauth2/token",
		"https://Auth.Example.COM./X":    "https://auth.example.com./X/oauth2/token",
		"https://localhost.Example":      "https://localhost.example/oauth2/token",
	} {
		if got := with("auth_url", address).must(t).TokenURL.String(); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	// A path that is set is added whatever auth_url ends in, and system never is.
	for _, test := range []struct{ auth, path, want string }{
		{"https://a/realms/x/", "/protocol/token", "https://a/realms/x/protocol/token"},
		{"https://a/t%2F/", "a%2Fb/token/?p=1", "https://a/t%2F/a%2Fb/token/?p=1"},
		{"https://a/oauth2/token", "oauth2/token", "https://a/oauth2/token/oauth2/token"},
	} {
		b := with("auth_url", test.auth).and("token_path", test.path).and("system", "s")
		if got := b.must(t).TokenURL.String(); got != test.want {
			t.Errorf("%s and %s: got %s, want %s", test.auth, test.path, got, test.want)
		}
	}
	for _, test := range []struct{ base, system, path, want string }{
		{"https://b/p%2F", "", "", "https://b/p%2F/notifications/v1"},
		{"https://b//", "", "", "https://b/notifications/v1"},
		{"https://b/p%2Fq", "s 1", "", "https://b/p%2Fq/s%201/notifications/v1"},
		{"http://[::1]:2", "", "/v2/send/", "http://[::1]:2/v2/send/"},
		{"http://127.9.9.9//a//b/", "", "", "http://127.9.9.9//a//b/notifications/v1"},
		{"https://b/p", "ignored", "a%2Fb/send?v=1", "https://b/p/a%2Fb/send?v=1"},
	} {
		b := with("base_url", test.base).and("system", test.system)
		config := b.and("notifications_path", test.path).must(t)
		if got := config.NotificationsURL.String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.base, got, test.want)
		}
	}
}

// If an emulator is set, both addresses must be there, whether from the block or the environment.
func TestConfigOnlyTheEmulator(t *testing.T) {
	t.Parallel()
	const emulator = "http://127.0.0.1:8080"
	for address, allowed := range map[string]bool{
		"HTTP://127.0.0.1:8080/a/b/": true,
		"http://localhost:8080":      false,
		"https://127.0.0.1:8080":     false,
	} {
		for _, name := range []string{"auth_url", "base_url"} {
			b := with("auth_url", emulator).and("base_url", emulator)
			_, _, fromBlock := b.and(name, address).read(t, "EMULATOR_URL", emulator)
			_, _, fromEnvironment := b.and(name, nil).read(t, "EMULATOR_URL", emulator,
				strings.ToUpper(name), address)
			for advice, diags := range map[string]diag.Diagnostics{
				"Leave it out of the provider block":                                              fromBlock,
				"A job that uses the emulator must not set NOTIFICATION_" + strings.ToUpper(name): fromEnvironment,
			} {
				if allowed && len(diags) == 0 {
					continue
				}
				if !slices.Equal(paths(diags), []string{name}) || allowed || !strings.Contains(
					diags[0].Detail(), "is not at "+emulator) || !strings.Contains(diags[0].Detail(), advice) {
					t.Errorf("%s as %s: %v", address, name, diags)
				}
			}
		}
	}
	// The emulator may be on another machine, to which requests go without a proxy.
	b := with("auth_url", emulator).and("base_url", emulator)
	if b.must(t).NoProxy || !b.must(t, "EMULATOR_URL", emulator).NoProxy {
		t.Error("requests to the emulator, and no others, must bypass a proxy")
	}
	// An invalid emulator address is an error, so that no request is made.
	for _, emulator := range []string{" ", "http://127.0.0.1/path", "http://canary@127.0.0.1"} {
		_, _, diags := with("system", nil).read(t, "EMULATOR_URL", emulator)
		const want = "Invalid environment variable NOTIFICATION_EMULATOR_URL"
		if len(diags) != 1 || diags[0].Summary() != want ||
			strings.Contains(diags[0].Detail(), "canary") {
			t.Errorf("%q: got %v, want %s", emulator, diags, want)
		}
	}
}
