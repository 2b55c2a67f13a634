package emulator

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The ledger holds no credentials, even if a client sends them in the wrong place.
func TestLedgerHoldsNoCredentials(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	form := []string{"Content-Type", formType}
	token, secret := h.token(), credentials("client_secret", "canary")
	h.requestToken(secret)
	h.do(http.MethodPost, tokenPath+"?"+secret, "", form...)
	h.requestToken(secret + "&client_secret=canary")
	h.do(http.MethodPost, tokenPath, credentials("assertion", "canary"),
		"Authorization", "Basic canary")
	h.do(http.MethodPost, submissionPath+"?"+credentials(), secret, form...)
	for _, oddType := range []string{"; charset=utf-8; x", ";;=", ";x=\"", " ;", "\t; x"} {
		h.do(http.MethodPost, submissionPath, secret, "Content-Type", strings.ToUpper(formType)+oddType)
	}
	h.do(http.MethodGet, "/nowhere?token=canary", "", "Proxy-Authorization", "Basic canary",
		"Cookie", "session=canary")
	const query = "name=%zz;x&access_token=*&token&Client_Secret=*&client%5fsecret=*"
	h.do(http.MethodGet, studiesPath+"?"+strings.ReplaceAll(query, "*", "canary"), "",
		"Authorization", "canary", "X-Gateway", "canary", "X-Request-Id", "a", "X-Request-Id", "b")
	l := h.Ledger()
	text, err := json.Marshal(l)
	if err != nil || strings.Contains(string(text), "canary") ||
		strings.Contains(string(text), "s3cret") || strings.Contains(string(text), token) ||
		len(l.Requests) != 13 || l.Requests[4].Form != nil || l.Requests[5].Form != nil {
		t.Errorf("%v, the ledger holds %s", err, text)
	}
	last := l.Requests[12]
	delete(last.Headers, "User-Agent")
	kept := map[string]string{
		"Accept-Encoding": "gzip", "Host": "localhost:8080", "X-Request-Id": "a, b",
	}
	if !maps.Equal(last.Headers, kept) || !slices.Contains(last.HeaderNames, "X-Gateway") ||
		!slices.IsSorted(last.HeaderNames) || last.Query != strings.ReplaceAll(query, "*", "(hidden)") {
		t.Errorf("kept %+v", last)
	}
}

// The ledger keeps 64 KiB of a body that was not accepted, and all of one that was.
func TestLedgerCutsBodies(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	large := strings.Replace(minimal, "slack", strings.Repeat("x", maxBody/2), 1)
	h.submit("x", large)
	h.submit("x", large[:maxKept])
	h.submit(h.token(), large)
	l := h.Ledger()
	cut, whole := l.Requests[0].Body, l.Requests[1].Body
	if !strings.HasPrefix(cut, large[:maxKept]+" (cut after 65536") || len(cut) > maxKept+80 ||
		whole != large[:maxKept] || string(l.Submissions[0].Body) != large {
		t.Errorf("kept %d, %d and %d bytes", len(cut), len(whole), len(l.Submissions[0].Body))
	}
}

// What the README promises of the ledger.
func TestLedgerShape(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodGet, "/_emulator/ledger?x", ""), 400, "takes no query parameters")
	empty := h.do(http.MethodGet, "/_emulator/ledger", "")
	if !strings.HasSuffix(empty.body, `,"submissions":[],"requests":[]}`) { // not null
		t.Errorf("empty: got %s", empty.body)
	}
	h.submit(h.token(), `{ "priority": "HIGH", "channels": [{"type": "<&>"}] }`)
	h.lookUp("x", "")
	h.do(http.MethodGet, "/nowhere", "")
	r := h.do(http.MethodGet, "/_emulator/ledger", "")
	got := h.members(r)
	submissions, requests := got["submissions"].([]any), got["requests"].([]any)
	want := map[string]any{
		"version": 1.0, "dropped": 0.0, "token_requests": 1.0, "submission_requests": 1.0,
		"notifications": 1.0, "repetitions": 0.0, "study_requests": 1.0, "other_requests": 1.0,
		"submissions": got["submissions"], "requests": got["requests"],
	}
	const body = `"body":{"priority":"HIGH","channels":[{"type":"<&>"}]}`
	const form = `"form":{"parameters":["client_id","client_secret","grant_type"],"client_id":"` +
		testID + `","grant_type":"client_credentials","scope":""}`
	if diff := cmp.Diff(want, got); diff != "" || len(submissions) != 1 || len(requests) != 4 ||
		!strings.Contains(r.body, body) || !strings.Contains(r.body, form) {
		t.Fatalf("want one submission, 4 requests, %s and %s in %s; want (-), got (+):\n%s", body, form,
			r.body, diff)
	}
	for name, item := range map[string]any{
		"notification_id received_at channels priority":                    submissions[0],
		"time target method path status fault header_names headers":        requests[1],
		"time target method path status fault header_names headers form":   requests[0],
		"time target method path status fault header_names headers reason": requests[2],
	} {
		for _, name := range strings.Fields(name) {
			if _, ok := item.(map[string]any)[name]; !ok {
				t.Errorf("there is no %s in %v", name, item)
			}
		}
	}
}
