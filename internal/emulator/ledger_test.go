package emulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// The ledger holds no credentials, even if a client sends them in the wrong place.
func TestLedgerHoldsNoCredentials(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	form := []string{"Content-Type", formType}
	token := h.token()
	h.requestToken(credentials("client_secret", "canary"))
	h.do(http.MethodPost, tokenPath+"?"+credentials("client_secret", "canary"), "", form...)
	twice := credentials("client_secret", "canary") + "&client_secret=canary"
	h.do(http.MethodPost, tokenPath, twice, form...)
	h.do(http.MethodPost, tokenPath, credentials("assertion", "canary"),
		"Authorization", "Basic canary")
	h.do(http.MethodPost, submissionPath+"?"+credentials(), credentials("client_secret", "canary"),
		form...)
	h.lookUp("canary", "?name=ATLAS&access_token="+token)
	h.do(http.MethodGet, "/nowhere?token=canary", "", "Proxy-Authorization", "Basic canary",
		"Cookie", "session=canary")
	h.do(http.MethodPost, submissionPath, credentials(), "Content-Type", "text/plain",
		"X-Request-Id", token)
	h.do(http.MethodPost, submissionPath+"?client%5Fsecret="+url.QueryEscape(testSecret),
		`{"client_secret":"`+testSecret+`"}`, "Content-Type", "application/json")
	h.lookUp("canary", "/"+token)
	text, err := json.Marshal(h.e.Ledger())
	if err != nil || strings.Contains(string(text), "canary") || strings.Contains(string(text), "s3cret") ||
		strings.Contains(string(text), token) {
		t.Errorf("%v, the ledger holds %s", err, text)
	}
	if l := h.e.Ledger(); len(l.Requests) != 11 || l.Requests[4].Form != nil || l.Requests[5].Form != nil {
		t.Errorf("the ledger holds %s", text)
	}
}

// Package ledger tests when a connection counts again.
func TestLedgerCountsConnections(t *testing.T) {
	t.Parallel()
	one := newHarness(t, Config{})
	transport := one.client.Transport.(*http.Transport).Clone()
	two := newClient(t, one.e, one.server, one.root, transport)
	for _, h := range []*harness{one, two, one, two} {
		h.lookUp("x", "")
	}
	if got := one.e.Ledger().Connections; got != 2 {
		t.Errorf("two connections count as %d", got)
	}
}

// What the README promises of the ledger. Members that this test does not name may be added.
func TestLedgerShape(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	counters := map[string]float64{
		"version": 3, "dropped": 0, "token_requests": 0, "submission_requests": 0, "notifications": 0,
		"repetitions": 0, "study_requests": 0, "other_requests": 0, "connections": 0,
	}
	check := func(requests, submissions int) result {
		t.Helper()
		r := h.do(http.MethodGet, "/_emulator/ledger", "")
		got := h.members(r)
		for name, want := range counters {
			if got[name] != want {
				t.Errorf("%s is %v, want %v", name, got[name], want)
			}
		}
		for name, want := range map[string]int{"requests": requests, "submissions": submissions} {
			if list, ok := got[name].([]any); !ok || len(list) != want { // not null
				t.Errorf("%s is %v", name, got[name])
			}
		}
		return r
	}
	check(0, 0)
	h.submit(h.token(), `{ "priority": "HIGH", "channels": [{"type": "<&>"}] }`)
	h.lookUp("x", "")
	h.do(http.MethodGet, "/nowhere", "")
	maps.Copy(counters, map[string]float64{
		"token_requests": 1, "submission_requests": 1, "notifications": 1, "study_requests": 1,
		"other_requests": 1, "connections": 1,
	})
	r := check(4, 1)
	var l struct {
		Submissions []map[string]json.RawMessage
		Requests    []map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(r.body), &l); err != nil {
		t.Fatal(err)
	}
	const body = `{"priority":"HIGH","channels":[{"type":"<&>"}]}`
	if got := string(l.Submissions[0]["body"]); got != body {
		t.Errorf("body is %s, want %s", got, body)
	}
	for _, name := range []string{"notification_id", "received_at", "channels", "priority"} {
		if len(l.Submissions[0][name]) == 0 {
			t.Errorf("a submission has no %s", name)
		}
	}
	for _, name := range []string{
		"time", "target", "method", "path", "status", "fault", "header_names", "headers",
	} {
		if len(l.Requests[1][name]) == 0 {
			t.Errorf("a request has no %s", name)
		}
	}
	form := h.members(result{body: string(l.Requests[0]["form"])})
	if fmt.Sprint(form["parameters"]) != "[client_id client_secret grant_type]" ||
		form["client_id"] != testID || form["grant_type"] != "client_credentials" || form["scope"] != "" {
		t.Errorf("form is %v", form)
	}
}
