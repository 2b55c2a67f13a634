package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAdministration(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	h.submit(token, minimal)

	if r := h.do(http.MethodDelete, "/_emulator/ledger", ""); r.status != http.StatusNoContent {
		t.Errorf("DELETE ledger: %d", r.status)
	}
	if l := h.e.Ledger(); len(l.Submissions) != 0 || len(l.Requests) != 0 || l.TokensIssued != 0 ||
		l.TokenRequests != 0 || l.Connections != 0 {
		t.Errorf("after clearing the ledger holds %+v", l)
	}
	if r := h.submit(token, minimal); r.status != http.StatusCreated {
		t.Errorf("clearing the ledger has cost the token: %d", r.status)
	}
	if r := h.do(http.MethodPost, "/_emulator/revoke", ""); r.status != http.StatusNoContent {
		t.Errorf("POST revoke: %d", r.status)
	}
	h.wantProblem(h.submit(token, minimal), http.StatusUnauthorized, "revoked")
	if l := h.e.Ledger(); len(l.Requests) != 2 {
		t.Errorf("administration leaves traces: %+v", l.Requests)
	}
}

func TestAdministrationOfFaults(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"studies": "hang,repeat"}})
	post := func(body string) reply { return h.do(http.MethodPost, "/_emulator/faults", body) }
	want := func(r reply, text string) {
		t.Helper()
		if r.status != http.StatusOK || r.body != text {
			t.Errorf("got %d %s, want %s", r.status, r.body, text)
		}
	}
	want(post(`{"submission":"pass*2,status:503:0,repeat","token":"html*2"}`),
		`{"studies":"hang,repeat","submission":"pass*2,status:503:0,repeat","token":"html*2"}`)
	h.ask(credentials())
	h.submit("x", minimal)
	want(h.do(http.MethodGet, "/_emulator/faults", ""),
		`{"studies":"hang,repeat","submission":"pass,status:503:0,pass,repeat","token":"html"}`)

	for _, bad := range []string{
		``, `[]`, `{"token":null}`, `{"token":1}`, `{"all":"pass"}`,
		`{"token":"empty","submission":"oops"}`,
	} {
		h.wantProblem(post(bad), http.StatusBadRequest, "")
	}
	want(post(`{"studies":""}`),
		`{"studies":"","submission":"pass,status:503:0,pass,repeat","token":"html"}`)
	if r := h.do(http.MethodDelete, "/_emulator/faults", ""); r.status != http.StatusNoContent {
		t.Errorf("DELETE faults: %d", r.status)
	}
	want(h.do(http.MethodGet, "/_emulator/faults", ""), `{"studies":"","submission":"","token":""}`)
}

func TestLedgerWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// The answer to the second one is late, which is no reason to wait longer for it.
		h := newHarness(t, Config{Faults: Faults{"submission": "pass,delay:1s"}})
		token := h.token()
		ask := func(query string) (reply, time.Duration) {
			began := time.Now()
			r := h.do(http.MethodGet, "/_emulator/ledger?"+query, "")
			return r, time.Since(began)
		}
		for n := range 2 {
			time.AfterFunc(time.Duration(n+1)*time.Second, func() { h.submit(token, minimal) })
		}
		for _, test := range []struct {
			query         string
			status, count int
			took          time.Duration
		}{
			{"at_least=1", http.StatusConflict, 0, 0},
			{"at_least=2&wait=1m", http.StatusOK, 2, 2 * time.Second},
			{"at_least=2", http.StatusOK, 2, 0},
			{"at_least=3&wait=5s", http.StatusConflict, 2, 5 * time.Second},
			{"at_least=1&wait=5s&subject=NOTHING", http.StatusConflict, 0, 5 * time.Second},
			{"at_least=1&wait=5s&kind=token", http.StatusOK, 1, 0},
		} {
			r, took := ask(test.query)
			if got := h.members(r)["count"]; r.status != test.status || took != test.took ||
				got != float64(test.count) {
				t.Errorf("%s: got %d %v after %s", test.query, r.status, got, took)
			}
		}
		// It looks at the ledger now and then, not at each of many changes.
		for n := range 3 {
			time.AfterFunc(time.Second+time.Duration(n)*time.Millisecond, func() { h.lookUp(token, "?name=ATLAS") })
		}
		if r, took := ask("kind=studies&at_least=3&wait=1m"); r.status != http.StatusOK ||
			took <= time.Second+2*time.Millisecond || took > time.Second+askPause {
			t.Errorf("got %d after %s", r.status, took)
		}
		h.e.Close()
		if r, took := ask("at_least=3&wait=5s"); r.status != http.StatusConflict || took != 0 {
			t.Errorf("closed: got %d after %s", r.status, took)
		}
	})
}

// What a test misspells is an error, and never an answer to another question.
func TestAdministrationRefusesParameters(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for _, request := range []string{
		"GET /?onyl=rejected", "GET /_emulator/?x", "GET /_emulator/health?verbose", "POST /_emulator/?x=1",
		"GET /_emulator/ledger?at_least=1&tiemout=1s", "GET /_emulator/ledger?notifications=1",
		"DELETE /_emulator/ledger?priority=HIGH", "GET /_emulator/faults?target=token",
		"POST /_emulator/faults?target=token", "DELETE /_emulator/faults?target=token",
		"POST /_emulator/revoke?token=x", "POST /_emulator/reset?faults=1", "GET /_emulator/events?x=",
		"GET /_emulator/page/style.css?v=1",
	} {
		method, path, _ := strings.Cut(request, " ")
		h.wantProblem(h.do(method, path, ""), http.StatusBadRequest, "")
	}
}

// One request makes the emulator what it was at first, but for the tokens.
func TestReset(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{
		IdempotencyKeyHeader: keyHeader, Faults: Faults{"studies": "hang,repeat"},
	})
	token := h.token()
	first := h.submitUnder(token, minimal, "k")
	r := h.do(http.MethodPost, "/_emulator/reset", "")
	if l := h.e.Ledger(); r.status != http.StatusNoContent || len(l.Requests) != 0 ||
		h.e.Faults()["studies"] != "" {
		t.Errorf("got %d, %+v, %v", r.status, l, h.e.Faults())
	}
	second := h.submitUnder(token, minimal, "k")
	if first.status != 201 || second.status != 201 || second.body == first.body {
		t.Errorf("the key is remembered: %+v, %+v", first, second)
	}
}

// What is below /_emulator/ but has no such path or method is refused as everything else is.
func TestAdministrationRefuses(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for request, allowed := range map[string]string{ // empty: there is no such path
		"GET /_emulator/nothing":            "",
		"GET /_emulator/page/":              "",
		"GET /_emulator/page/index.html":    "",
		"DELETE /_emulator/page/style.css":  "GET, HEAD",
		"PUT /_emulator/":                   "GET, HEAD, POST",
		"POST /_emulator/ledger?type=slack": "DELETE, GET, HEAD",
		"PATCH /_emulator/faults":           "DELETE, GET, HEAD, POST",
		"PATCH /_emulator/revoke":           "POST",
	} {
		method, path, _ := strings.Cut(request, " ")
		r := h.do(method, path, "")
		status := http.StatusMethodNotAllowed
		if allowed == "" {
			status = http.StatusNotFound
		}
		h.wantProblem(r, status, "")
		if got := r.header.Get("Allow"); got != allowed {
			t.Errorf("%s: Allow is %q, want %q", request, got, allowed)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{
		Latency: time.Hour, Faults: Faults{"token": "hang,repeat"}, Version: "1.2.3",
	})
	r := h.do(http.MethodGet, "/_emulator/health", "")
	members := h.members(r)
	text, _ := members["started"].(string)
	started, err := time.Parse(time.RFC3339, text)
	if r.status != http.StatusOK || members["status"] != "ok" || members["version"] != "1.2.3" ||
		err != nil || !strings.HasSuffix(text, "Z") || time.Since(started) > time.Minute ||
		r.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %v %s", r.status, r.header, r.body)
	}
	for _, path := range []string{"/", "/favicon.ico", "/_emulator/health"} {
		if r := h.do(http.MethodHead, path, ""); r.status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, r.status)
		}
	}
	for path, want := range map[string]string{
		"/_emulator//health": "/_emulator/health", "/_emulator/x/../nothing": "/_emulator/nothing",
	} {
		if r := h.do(http.MethodGet, path, ""); r.status != http.StatusTemporaryRedirect ||
			r.header.Get("Location") != want || strings.Contains(r.body, "there is no") {
			t.Errorf("%s: got %d %v %s", path, r.status, r.header, r.body)
		}
	}
	if n := len(h.e.Ledger().Requests); n != 0 {
		t.Errorf("it leaves %d traces", n)
	}
}

// A test needs no more than curl to ask for a notification. Package ledger has what it may ask for.
func TestLedgerQuery(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	const live = `{"channels":[{"type":"slack","subject":"<it> is live"}],"priority":"HIGH"}`
	h.submit(token, live)
	h.submit(token, minimal)
	h.submit(token, "{")
	ask := func(query string) reply { return h.do(http.MethodGet, "/_emulator/ledger?"+query, "") }
	r := ask("priority=HIGH&type=slack&subject=%3Cit%3E+is+live")
	if !strings.HasPrefix(r.body, `{"version":2,"count":1,"dropped":0,"submissions":[{`) ||
		!strings.Contains(r.body, `"body":`+live) || strings.Contains(r.body, minimal) {
		t.Errorf("got %d %s", r.status, r.body)
	}
	if r := ask("subject=no"); r.body != `{"version":2,"count":0,"dropped":0,"submissions":[]}` {
		t.Errorf("got %d %s", r.status, r.body)
	}
	h.wantProblem(ask("subjet=no"), http.StatusBadRequest, `"subjet"`)
	if l := h.e.Ledger(); l.Requests[3].Body != "{" || l.Requests[1].Body != "" {
		t.Errorf("the bodies are %q and %q", l.Requests[3].Body, l.Requests[1].Body)
	}

	h = newHarness(t, Config{Systems: []string{"emea"}})
	h.do(http.MethodPost, "/emea"+submissionPath, minimal)
	r = ask("status=401&system=emea")
	const one = `{"version":2,"count":1,"dropped":0,"submissions":[],"requests":[{`
	if !strings.HasPrefix(r.body, one) {
		t.Errorf("got %d %s", r.status, r.body)
	}
}
