package emulator

import (
	"strings"
	"testing"
	"time"
)

// All that is wrong with a configuration is reported at once.
func TestNewRejects(t *testing.T) {
	t.Parallel()
	const taken = " path must differ from that of every other endpoint"
	const admin = " path must not be below /_emulator"
	const badKey = "cannot be the name of the idempotency key header"
	const badItems = "the catalogue of studies must be a JSON array of objects, each with a string " +
		"name: "
	items := func(text string) Config {
		return Config{Catalogues: map[string][]byte{"studies": []byte(text)}}
	}
	for _, test := range []struct {
		config Config
		want   []string
	}{
		{Config{
			Scopes: []string{"a b", "", `a"b`, `a\b`}, TokenLifetime: -time.Second,
			AllowedHosts: []string{"a.b:80", ""}, IdempotencyKeyHeader: "A, B",
			Faults: Faults{"token": "bang", "studies": "crash"},
		}, []string{
			"client ID", "client secret", `scope "a b"`, `scope ""`, `scope "a\"b"`, `scope "a\\b"`,
			"lifetime", `host "a.b:80"`, `host ""`, `"A, B" ` + badKey, `"bang"`, `"crash"`,
		}},
		{Config{IdempotencyKeyHeader: "content-Type"}, []string{badKey}},
		{Config{IdempotencyKeyHeader: "Authorization"}, []string{badKey}},
		{items(`null`), []string{badItems + "it is null"}},
		{items(``), []string{badItems}},
		{items(`[[]]`), []string{badItems + "item 1 is not"}},
		{items(`[{"NAME":"x"}]`), []string{badItems}},
		{items(`[{"name":"x"},{"name":1}]`), []string{badItems + "item 2"}},
		{Config{Paths: map[string]string{"submission": "n?x=y", "studies": "s#x"}}, []string{
			`the notifications path "n?x=y" must not hold a query or a fragment`,
			`the studies path "s#x" must not hold a query or a fragment`,
		}},
		{Config{Paths: map[string]string{"studies": "%zz"}}, []string{
			`the studies path "%zz" is not escaped as in a URL: invalid URL escape "%zz"`,
		}},
		{Config{Paths: map[string]string{"submission": "_emulator", "studies": "/_emulator/x"}},
			[]string{"the notifications" + admin, "the studies" + admin}},
		{Config{
			Systems: []string{"_emulator", "a", "a"},
			Paths:   map[string]string{"submission": "oauth2/%74oken"},
		}, []string{"the notifications" + taken, "the studies" + admin, "the studies" + taken}},
	} {
		if len(test.config.Scopes) == 0 {
			test.config.ClientID, test.config.ClientSecret = testID, testSecret
		}
		e, err := New(test.config)
		for _, want := range test.want {
			if err == nil || e != nil || !strings.Contains(err.Error(), want) {
				t.Errorf("New = %v, %v; want an error with %q", e, err, want)
			}
		}
	}
}
