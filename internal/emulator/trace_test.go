package emulator

import (
	"net/http"
	"strings"
	"testing"
)

// Package ledger has what is malformed.
func TestTrace(t *testing.T) {
	t.Parallel()
	const traceID, requestID = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
	const good = "00-" + traceID + "-" + requestID + "-01"
	h := newHarness(t, Config{})
	bearer := "Bearer " + h.token()
	for _, value := range []string{good, "x" + good} {
		header := []string{"Traceparent", value, "Content-Type", formType}
		asked := h.do(http.MethodPost, tokenPath, credentials(), header...)
		header[3] = "application/json"
		header = append(header, "Authorization", bearer)
		submitted := h.do(http.MethodPost, submissionPath, minimal, header...)
		found := h.do(http.MethodGet, studiesPath+"?name=x", "", header...)
		if value == good {
			continue
		}
		h.wantProblem(submitted, http.StatusBadRequest, "malformed")
		h.wantProblem(found, http.StatusBadRequest, "malformed")
		if asked.status != http.StatusBadRequest || h.members(asked)["error"] != "invalid_request" {
			t.Errorf("got %d %s", asked.status, asked.body)
		}
	}
	// Of the good ones the three requests have it, and the one notification.
	text := h.do(http.MethodGet, "/_emulator/ledger", "").body
	trace := `"trace_id":"` + traceID + `","request_id":"` + requestID + `"`
	if l := h.e.Ledger(); l.Notifications != 1 || strings.Count(text, trace) != 4 {
		t.Errorf("recorded %s", text)
	}
}
