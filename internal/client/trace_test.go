package client

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"terraform-provider-notification/internal/client/wire"
)

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
