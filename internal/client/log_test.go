package client

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"terraform-provider-notification/internal/emulator"
)

// Each attempt logs one line with the request and its result, without secrets.
func TestLog(t *testing.T) {
	withTestEnv(t, func(_ *emulator.Config, c *Config) {
		c.Headers = map[string]string{"X-Key": "Key canary", "X-Environment": "test"}
		c.NotificationsURL = mustParse(testHost + "/notifications/v1?q=1")
	}, func(t *testing.T, env *testEnv) {
		env.setFaults(t, "submission", "status:429:0,revoke,close-after")
		ctx, lines := captureLog(t)
		if _, err := env.client.SubmitNotification(ctx, testNotification(), ""); err == nil {
			t.Error("no error")
		}
		varying := regexp.MustCompile(`"(@|duration_ms)[^,}]*,|,"(request|trace)_id[^,}]*`)
		got := varying.ReplaceAllString(lines.String(), "")
		const token = `"host":"notifications.test","method":"POST","path":"/oauth2/token"`
		const closed = "the connection was closed: EOF"
		const submission = `"host":"notifications.test","method":"POST","path":"/notifications/v1"`
		want := `{"attempt":1,` + token + `,"status":200}
{"attempt":1,` + submission + `,"status":429}
{"attempt":2,` + submission + `,"status":401}
{"attempt":1,` + token + `,"status":200}
{"attempt":2,"error":"` + closed + `",` + submission + `}
`
		if got != want {
			t.Errorf("got\n%s, want\n%s\n%s", got, want, lines.String())
		}
	})
}

// The log contains no secret, even if a URL or an error does, except the value of a header inside
// the URL. What an error of net/http quotes, such as a malformed header, is truncated, and contains
// no terminal escapes.
func TestLogContainsNoSecrets(t *testing.T) {
	t.Parallel()
	const quoted = "canary-key, canary-pin, earlier, \x1b]0;owned\a\u202e" + testSecret
	for _, text := range []string{quoted, quoted + strings.Repeat("x", 900_000)} {
		synctest.Test(t, func(t *testing.T) {
			config := testConfig(testHost)
			config.Headers = map[string]string{"X-Key": "Key canary-key"}
			config.NotificationsURL = mustParse(testHost + "/canary-key/canary-pin/earlier")
			config.Dial = failingDial(errors.New(text))
			c := New(config)
			presetToken(c)
			request := testNotification()
			request.Channels[0].SecretFields = map[string]string{"pin": "canary-pin"}
			ctx, lines := captureLog(t)
			_, err := c.SubmitNotification(ctx, request, "")
			if strings.Contains(lines.String(), "earlier") { // the token
				t.Errorf("%.300q", lines)
			}
			for _, got := range []string{lines.String(), err.Error()} {
				got = strings.ReplaceAll(got, `"/canary-key/`, `"/`) // the path of the URL
				if len(got) > 10<<10 || strings.Contains(got, "canary") ||
					!strings.Contains(got, "]0;owned***") {
					t.Errorf("%d bytes, %.300q", len(got), got)
				}
			}
		})
	}
}
