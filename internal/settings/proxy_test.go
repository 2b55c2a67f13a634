package settings

import (
	"slices"
	"strings"
	"testing"
)

// An unusable proxy is an error if requests would use it: net/http would silently bypass it.
func TestProxy(t *testing.T) {
	t.Parallel()
	const unusable = "http://user:canary%zz@proxy.test:3128"
	for _, test := range []struct {
		environment string // NAME=VALUE, separated by spaces
		address     string
		wrong       string // the variable; empty for none
	}{
		{"HTTPS_PROXY=" + unusable, "https://a.test", "HTTPS_PROXY"},
		{"https_proxy=" + unusable, "https://a.test", "HTTPS_PROXY"},
		{"HTTPS_PROXY=http://proxy.test\x7f:3128", "https://a.test", "HTTPS_PROXY"},
		{"HTTP_PROXY=" + unusable, "http://a.test", "HTTP_PROXY"},
		{"HTTP_PROXY=" + unusable, "https://a.test", ""},
		{"HTTPS_PROXY=" + unusable, "http://a.test", ""},
		{"HTTPS_PROXY=" + unusable + " NO_PROXY=.test", "https://a.test", ""},
		{"HTTPS_PROXY=" + unusable, "https://localhost", ""},
		{"HTTPS_PROXY=" + unusable + " NOTIFICATION_EMULATOR_URL=https://a.test", "https://a.test", ""},
		{"HTTPS_PROXY=http://user:canary@proxy.test:3128", "https://a.test", ""},
		{"", "https://a.test", ""},
	} {
		variables := map[string]string{}
		for pair := range strings.FieldsSeq(test.environment) {
			name, value, _ := strings.Cut(pair, "=")
			variables[name] = value
		}
		b := with("auth_url", test.address).and("base_url", test.address).
			and("allow_insecure_http", true)
		config, _, diags := Read(t.Context(), b.config(t), func(name string) string {
			return variables[name]
		})
		var want []string
		if test.wrong != "" {
			want = []string{"Invalid environment variable " + test.wrong}
		}
		if got := summaries(diags); !slices.Equal(got, want) {
			t.Errorf("%s: %q", test.environment, got)
		}
		if config.NoProxy != (variables[emulatorVariable] != "") {
			t.Errorf("%s: no proxy: %t", test.environment, config.NoProxy)
		}
	}
}
