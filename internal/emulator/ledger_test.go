package emulator

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
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
	const query = "name=%zz;x&access_token=*&token&Token=*&Client_Secret=*&client%5fsecret=*"
	h.do(http.MethodGet, studiesPath+"?"+strings.ReplaceAll(query, "*", "canary"), "",
		"Authorization", "canary", "X-Gateway", "canary", "X-Request-Id", "a", "X-Request-Id", "b")
	l := h.Ledger()
	text := h.do(http.MethodGet, "/_emulator/ledger", "").body
	for _, credential := range []string{"canary", "s3cret", token} {
		if strings.Contains(text, credential) {
			t.Errorf("%s is in %s", credential, text)
		}
	}
	for _, r := range l.Requests {
		if r.Form != nil && (r.Target != tokenEndpoint || r.Headers["Content-Type"] != formType) {
			t.Errorf("recorded as a form: %+v", r)
		}
	}
	last := l.Requests[len(l.Requests)-1]
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
	cut, whole := h.recorded(0).Body, h.recorded(1).Body
	if !strings.HasPrefix(cut, large[:maxKept]+" (cut after 65536") || len(cut) > maxKept+80 ||
		whole != large[:maxKept] || string(l.Submissions[0].Body) != large {
		t.Errorf("kept %d, %d and %d bytes", len(cut), len(whole), len(l.Submissions[0].Body))
	}
}

// The README promises all names, since a release of the same version may only add some.
func TestLedgerShape(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{IdempotencyKeyHeader: keyHeader})
	token := h.token()
	h.submit(token, `{ "priority": "HIGH", "channels": [{"type": "<&>"}] }`, "k")
	h.do(http.MethodGet, studiesPath+"?name=none", "", "Authorization", "Bearer "+token,
		keyHeader, "k") // only of a submission is it recorded
	h.do(http.MethodGet, "/nowhere", "")
	h.wantProblem(h.do(http.MethodGet, "/_emulator/ledger?x", ""), 400, "takes no query parameters")
	got := h.do(http.MethodGet, "/_emulator/ledger", "").body
	for pattern, replacement := range map[string]string{
		`"[0-9a-f]{8}-[0-9a-f-]{27}"`:                   `"UUID"`,
		`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`:                   `"TIME"`,
		`"header_names":\[[^]]+\],"headers":\{"[^}]+\}`: `"header_names":[],"headers":{}`,
	} {
		got = regexp.MustCompile(pattern).ReplaceAllString(got, replacement)
	}
	want := strings.ReplaceAll(`{"version":1,"dropped":0,"token_requests":1,"submission_requests":1,
"notifications":1,"repetitions":0,"study_requests":1,"other_requests":1,
"submissions":[{"notification_id":"UUID","received_at":"TIME","channels":[{"type":"<&>"}],
"priority":"HIGH","body":{"priority":"HIGH","channels":[{"type":"<&>"}]},"idempotency_key":"k"}],
"requests":[
{"time":"TIME","target":"token","method":"POST","path":"/oauth2/token","status":200,"fault":"",
"header_names":[],"headers":{},"form":{"parameters":["client_id","client_secret","grant_type"],
"client_id":"some-client","grant_type":"client_credentials","scope":""}},
{"time":"TIME","target":"submission","method":"POST","path":"/notifications/v1","status":201,
"fault":"","notification_id":"UUID","idempotency_key":"k","header_names":[],"headers":{}},
{"time":"TIME","target":"studies","method":"GET","path":"/studies/v1","query":"name=none",
"status":200,"fault":"","header_names":[],"headers":{},"lookup":{"name":"none","found":0}},
{"time":"TIME","target":"other","method":"GET","path":"/nowhere","status":404,
"reason":"there is nothing at /nowhere; -token-path, -notifications-path and `+
		`-studies-path replace paths","fault":"","header_names":[],"headers":{}}]}`,
		"\n", "")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
