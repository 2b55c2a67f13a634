package emulator

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/route"
)

// The faults that change what an answer says.
func TestFaultAnswers(t *testing.T) {
	t.Parallel()
	type want struct {
		status      int
		contentType string
		body        string   // contained in the body; "-": an empty body
		header      []string // name and value
		accepted    bool
	}
	const page, problemType, tokenJSON = "<!DOCTYPE html>", "application/problem+json", `{"access_token":"emu_`
	for _, test := range []struct {
		target route.Target
		fault  string
		want   want
	}{
		{route.Submission, "status:503:7", want{503, problemType, `"detail":"an injected fault`, []string{"Retry-After", "7"}, false}},
		{route.Submission, "status:503", want{503, problemType, `"title":"Service Unavailable"`, []string{"Retry-After", ""}, false}},
		{route.Submission, "status:599:0", want{599, problemType, `"title":"Status 599"`, []string{"Retry-After", "0"}, false}},
		{route.Submission, "status:401", want{401, problemType, "Unauthorized", []string{"Www-Authenticate", `Bearer error="invalid_token"`}, false}},
		{route.Submission, "status:302", want{302, "", "-", []string{"Location", ""}, false}},
		{route.Submission, "status:202:3", want{202, "application/json", `{"notification_id":"`, []string{"Retry-After", "3"}, true}},
		{route.Submission, "status:204", want{204, "", "-", nil, true}},
		{route.Submission, "html", want{200, "text/html; charset=utf-8", page, nil, false}},
		{route.Submission, "html:502", want{502, "text/html; charset=utf-8", page, nil, false}},
		{route.Submission, "html-as-json", want{200, "application/json", page, nil, false}},
		{route.Submission, "redirect:http://elsewhere:1/x", want{307, "", "-", []string{"Location", "http://elsewhere:1/x"}, false}},
		{route.Submission, "redirect:303:/x", want{303, "", "-", []string{"Location", "/x"}, false}},
		{route.Submission, "empty", want{201, "", "-", []string{"Content-Length", "0"}, true}},
		{route.Submission, "text", want{200, "text/plain; charset=utf-8", "OK", nil, true}},
		{route.Submission, "no-id", want{201, "application/json", `{"status":"accepted"}`, nil, true}},
		{route.Submission, "bad-id", want{201, "application/json", `{"notification_id":42}`, nil, true}},
		{route.Submission, "revoke", want{401, problemType, "revoked", nil, false}},

		{route.Token, "status:429:1", want{429, "application/json", `{"error":"temporarily_unavailable"`, []string{"Retry-After", "1"}, false}},
		{route.Token, "status:500", want{500, "application/json", `{"error":"server_error"`, nil, false}},
		{route.Token, "status:401", want{401, "application/json", `{"error":"invalid_client"`, nil, false}},
		{route.Token, "status:403", want{403, "application/json", `{"error":"unauthorized_client"`, nil, false}},
		{route.Token, "status:404", want{404, "application/json", `{"error":"invalid_request"`, nil, false}},
		{route.Token, "oauth:invalid_scope", want{400, "application/json", `{"error":"invalid_scope"`, []string{"Cache-Control", "no-store"}, false}},
		{route.Token, "oauth:slow_down:429", want{429, "application/json", `{"error":"slow_down"`, nil, false}},
		{route.Token, "html", want{200, "text/html; charset=utf-8", page, nil, false}},
		{route.Token, "html-as-json", want{200, "application/json", page, nil, false}},
		{route.Token, "redirect:/x", want{307, "", "-", []string{"Location", "/x"}, false}},
		{route.Token, "empty", want{200, "", "-", nil, true}},
		{route.Token, "text", want{200, "text/plain; charset=utf-8", tokenJSON, nil, true}},
		{route.Token, "lifetime:90s", want{200, "application/json", `"expires_in":90,`, nil, true}},
		{route.Token, "lifetime:0s", want{200, "application/json", `"token_type":"Bearer","scope"`, nil, true}},
		{route.Token, "wrong-type", want{200, "application/json", `"token_type":"mac"`, nil, true}},
		{route.Token, "no-token", want{200, "application/json", `{"token_type":"Bearer","expires_in":60,`, nil, false}},
		{route.Token, "revoke", want{200, "application/json", tokenJSON, nil, true}},

		{route.Studies, "status:500", want{500, problemType, "injected", nil, false}},
		{route.Studies, "html", want{200, "text/html; charset=utf-8", page, nil, false}},
		{route.Studies, "empty", want{200, "", "-", nil, true}},
		{route.Studies, "text", want{200, "text/plain; charset=utf-8", "OK", nil, true}},
		{route.Studies, "revoke", want{401, problemType, "revoked", nil, false}},
	} {
		t.Run(string(test.target)+" "+strings.ReplaceAll(test.fault, "/", "|"), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{TokenLifetime: time.Minute})
			token := h.token()
			if err := h.e.SetFaults(Faults{string(test.target): test.fault}); err != nil {
				t.Fatal(err)
			}
			h.e.ClearLedger()
			ask := func() reply {
				switch test.target {
				case route.Token:
					return h.ask(credentials())
				case route.Submission:
					return h.submit(token, minimal)
				default:
					return h.lookUp(token, "?name=ATLAS")
				}
			}

			r := ask()
			if r.status != test.want.status || r.header.Get("Content-Type") != test.want.contentType || r.err != nil {
				t.Errorf("got %d %q, want %d %q", r.status, r.header.Get("Content-Type"), test.want.status, test.want.contentType)
			}
			if !strings.Contains(r.body, test.want.body) && test.want.body != "-" || r.body != "" && test.want.body == "-" {
				t.Errorf("the body is %q, want %q", r.body, test.want.body)
			}
			for i := 0; i < len(test.want.header); i += 2 {
				if got := r.header.Get(test.want.header[i]); got != test.want.header[i+1] {
					t.Errorf("%s is %q, want %q", test.want.header[i], got, test.want.header[i+1])
				}
			}
			l := h.e.Ledger()
			if got := l.Requests[0]; got.Fault != canonical(t, test.target, test.fault) || got.Status != r.status {
				t.Errorf("recorded are fault %q and status %d", got.Fault, got.Status)
			}
			if accepted := len(l.Submissions)+l.TokensIssued == 1; test.target != route.Studies && accepted != test.want.accepted {
				t.Errorf("accepted: %t, want %t", accepted, test.want.accepted)
			}
			if test.target == route.Token && l.Requests[0].Form == nil {
				t.Error("the form is not recorded")
			}

			if test.fault == "revoke" {
				token = h.token()
			}
			if r := ask(); r.status >= 300 {
				t.Errorf("the request after the fault gets %d %s", r.status, r.body)
			}
		})
	}
}

// canonical is the text form as the ledger has it.
func canonical(t *testing.T, to route.Target, text string) string {
	t.Helper()
	sequences, err := Faults{string(to): text}.Parse()
	if err != nil {
		t.Fatal(err)
	}
	return sequences.Faults()[string(to)]
}

// A bad request is refused as ever, by the faults that would change its answer.
func TestFaultsLeaveRefusalsAlone(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"status:200", "empty", "text", "no-id", "bad-id", "truncate", "drip:1ms", "delay:1ms"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{Faults: Faults{"submission": fault}})
			r := h.submit("unknown", minimal)
			h.wantProblem(r, http.StatusUnauthorized, "unknown")
			if r.err != nil || len(h.e.Ledger().Submissions) != 0 {
				t.Errorf("body error %v, ledger %+v", r.err, h.e.Ledger())
			}
		})
	}
}

func TestRetryAfterDate(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 2, 28, 23, 59, 50, 0, time.UTC)
	for _, test := range []struct {
		fault string
		now   time.Time
		want  string
	}{
		{"status:503:date+10", midnight, "Sun, 01 Mar 2026 00:00:00 GMT"},
		{"status:503:date+10", midnight.Add(time.Nanosecond), "Sun, 01 Mar 2026 00:00:01 GMT"},
		{"status:200:date+0", midnight.In(time.FixedZone("", 3600)), "Sat, 28 Feb 2026 23:59:50 GMT"},
	} {
		e := newEmulator(t, Config{Faults: Faults{"submission": "pass," + test.fault}})
		e.now = func() time.Time { return test.now }
		h := serveHarness(t, e, false)
		token := h.token()
		h.submit(token, minimal)
		if got := h.submit(token, minimal).header.Get("Retry-After"); got != test.want {
			t.Errorf("%s at %s: Retry-After is %s, want %s", test.fault, test.now, got, test.want)
		}
	}
}

func TestLifetimeOfOneToken(t *testing.T) {
	t.Parallel()
	start := time.Now()
	now := start
	e := newEmulator(t, Config{TokenLifetime: time.Hour, Faults: Faults{"token": "lifetime:5s"}})
	e.now = func() time.Time { return now }
	h := serveHarness(t, e, false)
	short, long := h.token(), h.token()
	now = start.Add(5 * time.Second)
	h.wantProblem(h.submit(short, minimal), http.StatusUnauthorized, "expired")
	if r := h.submit(long, minimal); r.status != http.StatusCreated {
		t.Errorf("the token with the usual lifetime gets %d %s", r.status, r.body)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodPost, "/nowhere/v1", minimal), http.StatusNotFound, "/nowhere/v1")
	for path, allowed := range map[string]string{
		tokenPath:      http.MethodPost,
		submissionPath: http.MethodPost,
		studiesPath:    http.MethodGet,
	} {
		r := h.do(http.MethodPut, path, "")
		h.wantProblem(r, http.StatusMethodNotAllowed, allowed)
		if got := r.header.Get("Allow"); got != allowed {
			t.Errorf("%s: Allow is %q, want %q", path, got, allowed)
		}
	}
	l := h.e.Ledger()
	if l.OtherRequests != 1 || l.TokenRequests != 1 || l.SubmissionRequests != 1 || l.StudyRequests != 1 {
		t.Errorf("requests are miscounted: %+v", l)
	}
}
