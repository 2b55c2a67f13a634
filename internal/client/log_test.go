package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Each attempt logs one line with the request and its result, without secrets.
func TestLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		config := testConfig()
		config.Header = http.Header{"X-Key": {"Key canary"}, "X-Environment": {"test"}}
		config.NotificationsURL = mustParse(testHost + "/notifications/v1?q=1")
		env := newTestEnv(t, config)
		env.setFaults(t, "submission", "status:429:0,revoke,reset-after")
		lines := new(bytes.Buffer)
		ctx := tflogtest.RootLogger(t.Context(), lines)
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

// The log contains no secret, even if an error does. What an error of net/http quotes, such as a
// malformed header, is truncated, and contains no terminal escapes.
func TestLogContainsNoSecrets(t *testing.T) {
	t.Parallel()
	const quoted = "canary-key, canary-pin, earlier, \x1b]0;owned\a\u202e" + testSecret
	for _, text := range []string{quoted, quoted + strings.Repeat("x", 900_000)} {
		synctest.Test(t, func(t *testing.T) {
			config := testConfig()
			config.Header = http.Header{"X-Key": {"Key canary-key"}}
			config.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New(text)
			}
			c := New(config)
			presetToken(c)
			request := testNotification()
			request.Channels[0].SecretFields = map[string]string{"pin": "canary-pin"}
			lines := new(bytes.Buffer)
			ctx := tflogtest.RootLogger(t.Context(), lines)
			_, err := c.SubmitNotification(ctx, request, "")
			if strings.Contains(lines.String(), "earlier") { // the token
				t.Errorf("%.300q", lines)
			}
			for _, got := range []string{lines.String(), err.Error()} {
				if len(got) > 10<<10 || strings.Contains(got, "canary") ||
					!strings.Contains(got, "]0;owned***") {
					t.Errorf("%d bytes, %.300q", len(got), got)
				}
			}
		})
	}
}

// Every attempt has a request id of its own, in two headers and in one line of the log. Attempts at
// one request share a trace. Requests share one only if the pipeline sets one. The receipt has the
// ids of the last attempt, and so has one line, at INFO, beside the notification id.
func TestEachAttemptHasAnID(t *testing.T) {
	t.Parallel()
	const pipeline = "0af7651916cd43dd8448eb211c80319c"
	for traceParent, flags := range map[string]string{
		"00-" + pipeline + "-00f067aa0ba902b7-00": "-00", "": "-01",
	} {
		synctest.Test(t, func(t *testing.T) {
			config := testConfig()
			config.Trace, _ = wire.ParseTrace(traceParent)
			// A token request, a submission that is retried, and a lookup.
			c, service := newClient(t, config, ok, "429", "425", ok, ok)
			lines := new(bytes.Buffer)
			ctx := tflogtest.RootLogger(t.Context(), lines)
			receipt, err := c.SubmitNotification(ctx, testNotification(), "")
			_, _, err2 := c.LookUpStudies(ctx, "ATLAS")
			if err = errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			var traces []string
			ids := map[string]bool{}
			for _, r := range service.requests {
				id, header := attemptID(r), r.Header.Get("Traceparent")
				traces, ids[id.Request] = append(traces, id.Trace), true
				if uuid.Validate(id.Request) != nil || !strings.HasSuffix(header, flags) {
					t.Errorf("%s has headers %v", r.URL, r.Header)
				}
				logged := fmt.Sprintf(`"request_id":%q,"status":`, id.Request)
				if strings.Count(lines.String(), logged) != 1 || !strings.Contains(lines.String(), id.Trace) {
					t.Errorf("the log does not contain %s: %s", id, lines)
				}
			}
			submitted := regexp.MustCompile(`"@level":"info",.*"notification_id":"n-1",(.*)}`).
				FindAllStringSubmatch(lines.String(), -1)
			last := attemptID(at(t, service.requests, 3))
			want := fmt.Sprintf(`"request_id":%q,"trace_id":%q`, last.Request, last.Trace)
			if len(submitted) != 1 || submitted[0][1] != want || receipt.ID.String() != last.String() {
				t.Errorf("logged %q, want %s once; the receipt has %s", submitted, want, receipt.ID)
			}
			if len(ids) != 5 {
				t.Errorf("%d requests have the ids %v", len(service.requests), ids)
			}
			shared := slices.Compact(slices.Clone(traces))
			if traceParent == "" && (len(shared) != 3 || traces[1] != traces[3]) ||
				traceParent != "" && !slices.Equal(shared, []string{pipeline}) {
				t.Errorf("with %q, the requests have the traces %q", traceParent, traces)
			}
		})
	}
}

// attemptID returns the ids of r. The request id is a UUID, whose first digits are in traceparent.
func attemptID(r *http.Request) wire.ID {
	parts := strings.Split(r.Header.Get("Traceparent"), "-")
	id := wire.ID{Trace: parts[1], Request: parts[2]}
	requestID := r.Header.Get("X-Request-Id")
	if strings.HasPrefix(strings.ReplaceAll(requestID, "-", ""), id.Request) {
		id.Request = requestID
	}
	return id
}
