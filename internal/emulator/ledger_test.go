package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator/ledger"
)

func TestLedgerInOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "status:503:1"}})
	token := h.token()
	h.submit(token, minimal)
	h.submit(token, minimal)
	h.lookUp(token, "?name=x%20y")
	h.do(http.MethodDelete, "/else%2Fwhere?q", "")

	var got []string
	for _, r := range h.e.Ledger().Requests {
		status, err := json.Marshal(r.Status)
		if err != nil {
			t.Fatal(err)
		}
		parts := []string{r.Target, r.Method, r.Path, r.Query, string(status), r.Fault}
		got = append(got, strings.Join(parts, " "))
	}
	want := []string{
		"token POST /oauth2/token  200 ",
		"submission POST /notifications/v1  503 status:503:1",
		"submission POST /notifications/v1  201 ",
		"studies GET /studies/v1 name=x%20y 200 ",
		"other DELETE /else%2Fwhere  404 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a client sends where credentials belong, or nearby, is not in the ledger; the emulator's own
// secret is not, wherever it is sent.
func TestLedgerHoldsNoCredential(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	form := []string{"Content-Type", formType}
	token := h.token()
	h.ask(credentials("client_secret", "canary"))
	h.do(http.MethodPost, tokenPath+"?"+credentials("client_secret", "canary"), "", form...)
	twice := credentials("client_secret", "canary") + "&client_secret=canary"
	h.do(http.MethodPost, tokenPath, twice, form...)
	h.do(http.MethodPost, tokenPath, credentials("assertion", "canary"),
		"Authorization", "Basic canary")
	h.do(http.MethodPost, submissionPath+"?"+credentials(), credentials(), form...)
	h.lookUp("canary", "?name=ATLAS&access_token="+token)
	h.do(http.MethodGet, "/nowhere?token=canary", "", "Proxy-Authorization", "Basic canary",
		"Cookie", "session=canary")
	random := strings.TrimPrefix(token, ledger.TokenPrefix)
	h.do(http.MethodGet, "/emu%5F"+random, "")
	text, err := json.Marshal(h.e.Ledger())
	if err != nil || strings.Contains(string(text), "canary") || strings.Contains(string(text), "s3cret") ||
		strings.Contains(string(text), random) {
		t.Errorf("%v, the ledger holds %s", err, text)
	}
	if l := h.e.Ledger(); len(l.Requests) != 9 || l.Requests[4].Form != nil || l.Requests[5].Form != nil {
		t.Errorf("the ledger holds %s", text)
	}
}

func TestLedgerCountsConnections(t *testing.T) {
	t.Parallel()
	one := newHarness(t, Config{})
	transport := one.client.Transport.(*http.Transport).Clone()
	two := newClient(t, one.e, one.server, one.root, transport)
	for _, h := range []*harness{one, two, one, two} {
		h.do(http.MethodGet, "/_emulator/ledger", "")
		h.lookUp("x", "")
	}
	if got := one.e.Ledger().Connections; got != 2 {
		t.Errorf("two connections count as %d", got)
	}
	one.e.ClearLedger()
	one.do(http.MethodGet, "/_emulator/ledger", "")
	if got := one.e.Ledger().Connections; got != 0 {
		t.Errorf("a look at the ledger counts as %d connections", got)
	}
	two.lookUp("x", "")
	two.lookUp("x", "")
	if got := one.e.Ledger().Connections; got != 1 {
		t.Errorf("one connection that outlived a clearing counts as %d", got)
	}
}

func TestLedgerShape(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	const empty = `{"version":2,"token_requests":0,"tokens_issued":0,"submission_requests":0,"notifications":0,` +
		`"repetitions":0,"study_requests":0,"other_requests":0,"connections":0,` +
		`"count":0,"dropped":0,"submissions":[],"requests":[]}`
	for _, query := range []string{"", "?", "?&"} { // as modules with and without parameters ask
		got := h.do(http.MethodGet, "/_emulator/ledger"+query, "")
		if got.body != empty || got.status != http.StatusOK {
			t.Errorf("%q: got  %d %s\nwant %s", query, got.status, got.body, empty)
		}
	}
	h.submit(h.token(), `{ "priority": "HIGH", "channels": [{"type": "<&>"}] }`)
	var l struct {
		Submissions []map[string]json.RawMessage `json:"submissions"`
		Requests    []map[string]json.RawMessage `json:"requests"`
	}
	got := h.do(http.MethodGet, "/_emulator/ledger", "")
	if err := json.Unmarshal([]byte(got.body), &l); err != nil {
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
	const form = `{"parameters":["client_id","client_secret","grant_type"],` +
		`"client_id":"` + testID + `","grant_type":"client_credentials","scope":""}`
	if got := string(l.Requests[0]["form"]); got != form {
		t.Errorf("form is %s, want %s", got, form)
	}
}

// The ledger forgets what is oldest, bodies of rejected submissions included; its counts stay right.
func TestLedgerLimit(t *testing.T) {
	t.Parallel()
	const limit, sent = 60_000, 10
	h := newHarness(t, Config{LedgerLimit: limit})
	token := h.token()
	long := strings.Repeat("x", 2000)
	for i := range sent {
		h.submit(token, fmt.Sprintf(`{"channels":[{"type":%q,"subject":"s%d"}],"priority":"HIGH"}`, long, i))
		h.submit(token, "{"+long)
	}
	l := h.e.Ledger()
	if l.Notifications != sent || l.SubmissionRequests != 2*sent || l.TokenRequests != 1 {
		t.Errorf("miscounted: %+v", l)
	}
	kept := strings.Count(fmt.Sprintf("%s %+v", l.Submissions, l.Requests), long) * len(long)
	if kept > limit/3 || kept < limit/6 {
		t.Errorf("it keeps %d bytes of bodies", kept)
	}
	first := l.Submissions[0].Channels[0].Subject
	if l.Count != len(l.Submissions) || l.Dropped != sent-l.Count || l.Dropped == 0 {
		t.Errorf("%d are counted, %d dropped", l.Count, l.Dropped)
	}
	if first != fmt.Sprintf("s%d", sent-len(l.Submissions)) {
		t.Errorf("%d submissions from %s on are left", len(l.Submissions), first)
	}
}
