package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestTrace(t *testing.T) {
	t.Parallel()
	const traceID, requestID = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
	upper := strings.ToUpper(traceID)
	const good, zeros = "00-" + traceID + "-" + requestID + "-01", "0000000000000000"
	for name, test := range map[string]struct {
		values    []string
		malformed string
	}{
		"none":                {nil, ""},
		"one":                 {[]string{good}, ""},
		"not sampled":         {[]string{"00-" + traceID + "-" + requestID + "-00"}, ""},
		"empty":               {[]string{""}, "malformed"},
		"two":                 {[]string{good, good}, "more than one"},
		"upper case":          {[]string{"00-" + upper + "-" + requestID + "-01"}, "malformed"},
		"another version":     {[]string{"01-" + traceID + "-" + requestID + "-01"}, "malformed"},
		"no trace id":         {[]string{"00-" + zeros + zeros + "-" + requestID + "-01"}, "malformed"},
		"no parent id":        {[]string{"00-" + traceID + "-" + zeros + "-01"}, "malformed"},
		"short trace id":      {[]string{"00-" + traceID[1:] + "-" + requestID + "-01"}, "malformed"},
		"more after it":       {[]string{good + "-x"}, "malformed"},
		"something before it": {[]string{"x" + good}, "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{})
			token := h.token()
			header := []string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}
			for _, value := range test.values {
				header = append(header, "traceparent", value)
			}
			submitted := h.do(http.MethodPost, submissionPath, minimal, header...)
			h.do(http.MethodGet, studiesPath+"?name=x", "", header...)
			header[3] = "application/x-www-form-urlencoded"
			asked := h.do(http.MethodPost, tokenPath, credentials(), header[2:]...)

			l := h.e.Ledger()
			if test.malformed != "" {
				h.wantProblem(submitted, http.StatusBadRequest, test.malformed)
				if h.members(asked)["error"] != "invalid_request" || len(l.Submissions) != 0 ||
					l.Requests[2].Status != 400 {
					t.Errorf("token %s, recorded %+v", asked.body, l)
				}
				for _, r := range l.Requests {
					if r.Trace != (Trace{}) {
						t.Errorf("recorded %+v", r)
					}
				}
				return
			}
			want := Trace{}
			if len(test.values) > 0 {
				want = Trace{TraceID: traceID, RequestID: requestID}
			}
			if len(l.Submissions) != 1 || l.Submissions[0].Trace != want {
				t.Errorf("recorded %+v", l.Submissions)
			}
			for _, r := range l.Requests[1:] {
				if r.Trace != want || r.Status >= 300 {
					t.Errorf("recorded %+v", r)
				}
			}
			text, err := json.Marshal(l.Submissions[0])
			shown := strings.Contains(string(text), `"request_id":"`+requestID)
			if err != nil || shown != (len(test.values) > 0) {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
}
