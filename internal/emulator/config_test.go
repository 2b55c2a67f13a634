package emulator

import (
	"strings"
	"testing"
	"time"
)

// All that is wrong with a configuration is reported at once.
func TestNewRejects(t *testing.T) {
	t.Parallel()
	const control = " path must not be below /_emulator"
	const badPath = " must be escaped as in a URL, without a query or a fragment"
	const badKey = "cannot be the name of the idempotency key header"
	const badItems = "the studies must be a JSON array of objects, each with a string name: "
	items := func(text string) Config { return Config{Studies: []byte(text)} }
	paths := func(submission, studies string) Config {
		return Config{NotificationsPath: submission, StudiesPath: studies}
	}
	for _, test := range []struct {
		config Config
		want   []string
	}{
		{Config{
			TokenLifetime: -time.Second, IdempotencyKeyHeader: "A, B",
			Faults: Faults{"token": "bang", "studies": "crash"},
		}, []string{
			"client ID", "client secret", "lifetime", `"A, B" ` + badKey, `"bang"`, `"crash"`,
		}},
		{Config{ClientID: "x\nEVIL=1", ClientSecret: "x\x00", TokenPath: "t t",
			NotificationsPath: "n\nEVIL=1", StudiesPath: "s\u0085", TokenLifetime: 1}, []string{
			"the client ID must not be empty or hold control characters",
			"the client secret must not be empty or hold control characters",
			`the token path "/t t"` + badPath, `the submission path "/n\nEVIL=1"` + badPath,
			`the studies path "/s\u0085"` + badPath,
		}},
		{Config{IdempotencyKeyHeader: "content-Type"}, []string{badKey}},
		{Config{IdempotencyKeyHeader: "Authorization"}, []string{badKey}},
		{items(`null`), []string{badItems + "it is null"}},
		{items(``), []string{badItems}},
		{items(`[[]]`), []string{badItems + "item 1 is not"}},
		{items(`[{"NAME":"x"}]`), []string{badItems}},
		{items(`[{"name":"x"},{"name":1}]`), []string{badItems + "item 2"}},
		{paths("n?x=y", "s#x"), []string{
			`the submission path "/n?x=y"` + badPath, `the studies path "/s#x"` + badPath,
		}},
		{paths("_emulator", "/_emulator/x"),
			[]string{"the submission" + control, "the studies" + control}},
	} {
		if test.config.TokenLifetime == 0 {
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
