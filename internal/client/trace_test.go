package client

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

const pipelineTrace = "0af7651916cd43dd8448eb211c80319c"

// Every attempt has a separate request id, which errors, receipts and the log contain. All attempts
// at one request share a trace. Requests share a trace only if the pipeline sets one.
func TestEachAttemptHasAnID(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		traceParent string
		pipeline    bool   // whether all requests have its trace
		traces      int    // number of traces
		flags       string // of all requests
	}{
		"pipeline":    {"00-" + pipelineTrace + "-00f067aa0ba902b7-00", true, 1, "-00"},
		"no pipeline": {"", false, 5, "-01"},
	} {
		t.Run(name, func(t *testing.T) {
			withTestEnv(t, func(_ *emulator.Config, c *Config) {
				c.Trace, _ = wire.ParseTrace(test.traceParent)
			}, func(t *testing.T, env *testEnv) {
				env.handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					rw.Header().Set("X-Request-Id", requestID(r)) // errors do not repeat an equal id
					env.ServeHTTP(rw, r)
				})
				ctx, lines := captureLog(t)
				env.setFaults(t, "submission", "status:429:0,revoke,pass,close-after")
				env.setFaults(t, "studies", "status:404")
				receipt, err := env.client.SubmitNotification(ctx, testNotification(), "")
				if err != nil {
					t.Fatal(err)
				}
				_, err = env.client.SubmitNotification(ctx, testNotification(), "")
				lost := asError(t, err)
				_, _, err = env.client.Studies(ctx, "ATLAS")
				missing := asError(t, err)

				requests := env.Ledger().Requests // token, 429, 401, token, 201, lost, 404
				ids, traces := map[string]bool{}, map[string]bool{}
				for _, r := range requests {
					ids[r.RequestID], traces[r.TraceID] = true, true
					if r.Headers["X-Request-Id"] != r.RequestID ||
						!strings.HasSuffix(r.Headers["Traceparent"], test.flags) {
						t.Errorf("%s has headers %v", r.Target, r.Headers)
					}
					line := fmt.Sprintf(`"request_id":%q`, r.RequestID)
					if strings.Count(lines.String(), line) != 1 ||
						!strings.Contains(lines.String(), r.TraceID) {
						t.Errorf("the log does not contain %s: %s", line, lines.String())
					}
				}
				if len(requests) != 7 || len(ids) != 7 || len(traces) != test.traces ||
					traces[pipelineTrace] != test.pipeline {
					t.Fatalf("%d requests with ids %v in traces %v", len(requests), ids, traces)
				}
				if requests[1].TraceID != requests[2].TraceID ||
					requests[1].TraceID != requests[4].TraceID {
					t.Error("attempts at one request have different traces")
				}
				if receipt.ID.Request != requests[4].RequestID ||
					env.Ledger().Submissions[0].RequestID != receipt.ID.Request {
					t.Errorf("receipt %+v for %+v", receipt, requests[4])
				}
				for i, failed := range map[int]*Error{5: lost, 6: missing} {
					r := requests[i]
					want := "request id " + r.RequestID + ", trace id " + r.TraceID
					if failed.ID.String() != want ||
						!strings.HasSuffix(failed.Error(), "("+want+")") || !failed.ServerID.Empty() {
						t.Errorf("%q, want %q", failed, want)
					}
				}
			})
		})
	}
}
