package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
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
	const (
		page, tokenJSON       = "<!DOCTYPE html>", `{"access_token":"emu_`
		unavailable           = `{"error":"temporarily_unavailable"`
		detail, title503      = `"detail":"an injected fault`, `"title":"Service Unavailable"`
		title599              = `"title":"Status 599"`
		problemType, jsonType = "application/problem+json", "application/json"
		htmlType, textType    = "text/html; charset=utf-8", "text/plain; charset=utf-8"
		submission, token     = route.Submission, route.Token
	)
	challenge := []string{"Www-Authenticate", `Bearer error="invalid_token"`}
	noStore := []string{"Cache-Control", "no-store"}
	retryAfter := func(value string) []string { return []string{"Retry-After", value} }
	location := func(value string) []string { return []string{"Location", value} }
	for _, test := range []struct {
		target route.Target
		fault  string
		want   want
	}{
		{submission, "status:503:7", want{503, problemType, detail, retryAfter("7"), false}},
		{submission, "status:503", want{503, problemType, title503, retryAfter(""), false}},
		{submission, "status:599:0", want{599, problemType, title599, retryAfter("0"), false}},
		{submission, "status:399", want{399, "", "-", location(""), false}},
		{submission, "status:401", want{401, problemType, "Unauthorized", challenge, false}},
		{submission, "status:202:3", want{202, jsonType, `{"notification_id":"`, retryAfter("3"), true}},
		{submission, "status:204", want{204, "", "-", nil, true}},
		{submission, "html", want{200, htmlType, page, nil, false}},
		{submission, "html:502", want{502, htmlType, page, nil, false}},
		{submission, "html-as-json", want{200, jsonType, page, nil, false}},
		{submission, "redirect:http://a:1/x", want{307, "", "-", location("http://a:1/x"), false}},
		{submission, "redirect:303:/x", want{303, "", "-", location("/x"), false}},
		{submission, "empty", want{201, "", "-", []string{"Content-Length", "0"}, true}},
		{submission, "text", want{200, textType, "OK", nil, true}},
		{submission, "no-id", want{201, jsonType, `{"status":"accepted"}`, nil, true}},
		{submission, "bad-id", want{201, jsonType, `{"notification_id":42}`, nil, true}},
		{submission, "revoke", want{401, problemType, "revoked", nil, false}},

		{token, "status:429:1", want{429, jsonType, unavailable, retryAfter("1"), false}},
		{token, "status:500", want{500, jsonType, `{"error":"server_error"`, nil, false}},
		{token, "status:401", want{401, jsonType, `{"error":"invalid_client"`, nil, false}},
		{token, "status:403", want{403, jsonType, `{"error":"unauthorized_client"`, nil, false}},
		{token, "status:503", want{503, jsonType, unavailable, retryAfter(""), false}},
		{token, "status:499", want{499, jsonType, `{"error":"invalid_request"`, nil, false}},
		{token, "oauth:invalid_scope", want{400, jsonType, `{"error":"invalid_scope"`, noStore, false}},
		{token, "oauth:slow_down:429", want{429, jsonType, `{"error":"slow_down"`, nil, false}},
		{token, "text", want{200, textType, tokenJSON, nil, true}},
		{token, "lifetime:90s", want{200, jsonType, `"expires_in":90,`, nil, true}},
		{token, "lifetime:0s", want{200, jsonType, `"token_type":"Bearer","scope"`, nil, true}},
		{token, "wrong-type", want{200, jsonType, `"token_type":"mac"`, nil, true}},
		{token, "no-token", want{200, jsonType, `{"token_type":"Bearer","expires_in":60,`, nil, false}},
		{token, "revoke", want{200, jsonType, tokenJSON, nil, true}},

		{route.Studies, "text", want{200, textType, "OK", nil, true}},
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
			var r reply
			switch test.target {
			case route.Token:
				r = h.ask(credentials())
			case route.Submission:
				r = h.submit(token, minimal)
			default:
				r = h.lookUp(token, "?name=ATLAS")
			}
			contentType := r.header.Get("Content-Type")
			if r.status != test.want.status || contentType != test.want.contentType || r.err != nil {
				t.Errorf("got %d %q, want %+v", r.status, contentType, test.want)
			}
			if empty := test.want.body == "-"; empty && r.body != "" ||
				!empty && !strings.Contains(r.body, test.want.body) {
				t.Errorf("the body is %q, want %q", r.body, test.want.body)
			}
			for i := 0; i < len(test.want.header); i += 2 {
				if got := r.header.Get(test.want.header[i]); got != test.want.header[i+1] {
					t.Errorf("%s is %q, want %q", test.want.header[i], got, test.want.header[i+1])
				}
			}
			l := h.e.Ledger()
			got := l.Requests[0]
			if got.Fault != test.fault || got.Status != r.status {
				t.Errorf("recorded are fault %q and status %d", got.Fault, got.Status)
			}
			accepted := len(l.Submissions)+l.TokensIssued == 1
			if test.target != route.Studies && accepted != test.want.accepted {
				t.Errorf("accepted: %t, want %t", accepted, test.want.accepted)
			}
			if test.target == route.Token && l.Requests[0].Form == nil {
				t.Error("the form is not recorded")
			}
		})
	}
}

// A bad request is refused as ever, by the faults that would change its answer.
func TestFaultsLeaveRefusalsAlone(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{
		"status:200", "empty", "text", "no-id", "bad-id", "truncate", "drip:1ms", "delay:1ms",
	} {
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
	synctest.Test(t, func(t *testing.T) { // from midnight on
		h := newHarness(t, Config{Faults: Faults{"submission": "status:503:date+10,status:200:date+0"}})
		token := h.token()
		for _, want := range []string{"Sat, 01 Jan 2000 00:00:10 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"} {
			if got := h.submit(token, minimal).header.Get("Retry-After"); got != want {
				t.Errorf("Retry-After is %s, want %s", got, want)
			}
		}
	})
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
	if l.OtherRequests != 1 || l.TokenRequests != 1 || l.SubmissionRequests != 1 ||
		l.StudyRequests != 1 {
		t.Errorf("requests are miscounted: %+v", l)
	}
}
