package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator/ledger"
)

// Package ledger has what is malformed.
func TestTrace(t *testing.T) {
	t.Parallel()
	const traceID, requestID = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
	const good = "00-" + traceID + "-" + requestID + "-01"
	for value, want := range map[string]ledger.Trace{
		"": {}, good: {TraceID: traceID, RequestID: requestID}, "x" + good: {},
	} {
		h := newHarness(t, Config{})
		header := []string{"Authorization", "Bearer " + h.token(), "Content-Type", "application/json"}
		if value != "" {
			header = append(header, "traceparent", value)
		}
		submitted := h.do(http.MethodPost, submissionPath, minimal, header...)
		h.do(http.MethodGet, studiesPath+"?name=x", "", header...)
		header[3] = formType
		asked := h.do(http.MethodPost, tokenPath, credentials(), header[2:]...)

		malformed := value != "" && want == ledger.Trace{}
		l := h.e.Ledger()
		for _, r := range l.Requests[1:] {
			if r.Trace != want || (r.Status == http.StatusBadRequest) != malformed {
				t.Errorf("%q: recorded %+v", value, r)
			}
		}
		if malformed {
			h.wantProblem(submitted, http.StatusBadRequest, "malformed")
			if h.members(asked)["error"] != "invalid_request" || len(l.Submissions) != 0 {
				t.Errorf("token %s, recorded %+v", asked.body, l)
			}
			continue
		}
		if len(l.Submissions) != 1 || l.Submissions[0].Trace != want {
			t.Errorf("%q: recorded %+v", value, l.Submissions)
		}
		text, err := json.Marshal(l.Submissions)
		shown := strings.Contains(string(text), `"request_id":"`+requestID)
		if err != nil || shown != (value != "") {
			t.Errorf("%s, %v", text, err)
		}
	}
}
