package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

// Each attempt logs one line with the request and its result, without secrets.
func TestLog(t *testing.T) {
	withTestEnv(t, func(_ *emulator.Config, c *Config) {
		c.Headers = map[string]string{"X-Key": "Key canary", "X-Environment": "test"}
		c.NotificationsURL = mustParse(testHost + "/notifications/v1?q=1")
	}, func(t *testing.T, env *testEnv) {
		env.setFaults(t, "submission", "status:429:0,revoke,reset-after")
		ctx, lines := captureLog(t)
		if _, err := env.client.SubmitNotification(ctx, testNotification(), ""); err == nil {
			t.Error("no error")
		}
		varying := regexp.MustCompile(`"(@|duration_ms)[^,}]*,|,"(request|trace)_id[^,}]*`)
		got := varying.ReplaceAllString(lines.String(), "")
		const token = `"host":"notifications.test","method":"POST","path":"/oauth2/token"`
		const closed = "the connection was closed before a response arrived (EOF)"
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
			config := testConfig()
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

// Every attempt has a separate request id, which errors, receipts and the log contain. All attempts
// at one request share a trace. Requests share a trace only if the pipeline sets one.
func TestEachAttemptHasAnID(t *testing.T) {
	t.Parallel()
	const pipelineTrace = "0af7651916cd43dd8448eb211c80319c"
	for name, test := range map[string]struct {
		traceParent string
		traces      int    // number of traces
		flags       string // of all requests
	}{
		"pipeline":    {"00-" + pipelineTrace + "-00f067aa0ba902b7-00", 1, "-00"},
		"no pipeline": {"", 5, "-01"},
	} {
		inBubble(t, name, func(t *testing.T) {
			// Two submissions and a lookup. The first and the fourth are token requests.
			statuses := []int{200, 429, 401, 200, 201, 500, 404}
			var requests []*http.Request
			c := scriptedClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Request-Id", requestID(r)) // errors do not repeat an equal id
				w.WriteHeader(statuses[len(requests)])
				requests = append(requests, r)
				_, _ = io.WriteString(w, `{"access_token":"t","notification_id":"n"}`)
			}), func(config *Config) { config.Trace, _ = wire.ParseTrace(test.traceParent) })
			ctx, lines := captureLog(t)
			receipt, err := c.SubmitNotification(ctx, testNotification(), "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.SubmitNotification(ctx, testNotification(), "")
			unknown := asError(t, err)
			_, _, err = c.Studies(ctx, "ATLAS")
			notFound := asError(t, err)

			ids, traces := map[string]bool{}, map[string]bool{}
			for _, r := range requests {
				id := requestID(r)
				ids[id], traces[traceID(r)] = true, true
				if r.Header.Get("X-Request-Id") != id ||
					!strings.HasSuffix(r.Header.Get("Traceparent"), test.flags) {
					t.Errorf("%s has headers %v", r.URL, r.Header)
				}
				line := fmt.Sprintf(`"request_id":%q`, id)
				if strings.Count(lines.String(), line) != 1 ||
					!strings.Contains(lines.String(), traceID(r)) {
					t.Errorf("the log does not contain %s: %s", line, lines.String())
				}
			}
			if len(requests) != 7 || len(ids) != 7 || len(traces) != test.traces ||
				traces[pipelineTrace] != (test.traces == 1) {
				t.Fatalf("%d requests with ids %v in traces %v", len(requests), ids, traces)
			}
			if traceID(requests[1]) != traceID(requests[2]) ||
				traceID(requests[1]) != traceID(requests[4]) {
				t.Error("attempts at one request have different traces")
			}
			if receipt.ID.Request != requestID(requests[4]) {
				t.Errorf("receipt %+v for %v", receipt, requests[4].Header)
			}
			for i, failed := range map[int]*Error{5: unknown, 6: notFound} {
				want := "request id " + requestID(requests[i]) + ", trace id " + traceID(requests[i])
				if failed.ID.String() != want ||
					!strings.HasSuffix(failed.Error(), "("+want+")") || !failed.ServerID.Empty() {
					t.Errorf("%q, want %q", failed, want)
				}
			}
		})
	}
}

// traceID and requestID return the ids in the traceparent of r.
func traceID(r *http.Request) string { return strings.Split(r.Header.Get("Traceparent"), "-")[1] }

func requestID(r *http.Request) string { return strings.Split(r.Header.Get("Traceparent"), "-")[2] }
