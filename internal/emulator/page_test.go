package emulator

import (
	"bufio"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func (h *harness) page(path string) string {
	h.Helper()
	r := h.do(http.MethodGet, path, "")
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.HasSuffix(strings.TrimSpace(r.body), "</html>") {
		h.Fatalf("%s: %d %v\n%s", path, r.status, r.header, r.body)
	}
	return r.body
}

func (h *harness) pageShows(path string, parts ...string) {
	h.Helper()
	body := h.page(path)
	for _, part := range parts {
		if absent, ok := strings.CutPrefix(part, "!"); ok == strings.Contains(body, absent) && ok ||
			!ok && !strings.Contains(body, part) {
			h.Errorf("%s: want %q in\n%s", path, part, body)
		}
	}
}

func TestPageOfNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Systems: []string{"emea", "apac"}, NotificationsPath: "/send/it"})
	h.pageShows("/", "Nothing has arrived yet", `auth_url  = "`+h.srv.URL+`"`,
		`base_url  = "`+h.srv.URL+`"`,
		`client_id = "`+testID+`"`, `system = "emea"`, `notifications_path = "send/it"`, "!"+testSecret)
	if n := len(h.e.Ledger().Requests); n != 0 {
		t.Errorf("the page leaves %d traces", n)
	}
}

func TestPageListsAndFilters(t *testing.T) {
	t.Parallel()
	faults := Faults{"submission": "pass,pass,status:503:1,reset-after,hang*3"}
	h := newHarness(t, Config{Faults: faults})
	token := h.token()
	notify := func(subject, recipient, service string) {
		r := h.submission(token, fmt.Sprintf(`{"channels":[{"type":"slack","recipient":[%q],`+
			`"subject":%q,"template_id":"deployed","fields":{"service":%q}}],"priority":"BATCH"}`,
			recipient, subject, service))
		r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01")
		_, _ = h.try(r) // one of them has no answer
	}
	notify("first is live", "W1", "alpha")
	notify("second is live", "W2", "beta")
	notify("third is live", "W3", "gamma")
	notify("fourth is live", "W4", "delta")
	h.lookUp("unknown", "?name=ATLAS")

	all := h.page("/")
	order := []string{
		"the token is unknown", "fourth is live", "an injected fault: status 503", "second is live",
		"first is live",
	}
	at := 0
	for _, text := range order {
		i := strings.Index(all[at:], text)
		if i < 0 {
			t.Fatalf("%q is missing, or not in its place:\n%s", text, all)
		}
		at += i
	}
	ids := h.e.Ledger()
	h.pageShows("/", "fault reset-after", "hang*3", ids.Submissions[0].NotificationID,
		"0af7651916cd43dd8448eb211c80319c",
		"00f067aa0ba902b7", "BATCH", "W1", "deployed", "alpha", "<b>1</b> valid, 1 issued",
		"<dt>accepted</dt><dd>3</dd>", "<dt>rejected</dt><dd>2</dd>", "<dt>lookups</dt><dd>1</dd>")
	for query, want := range map[string][]string{
		"?q=FIRST":       {"first is live", "!second is live", "!token is unknown"},
		"?q=w2":          {"second is live", "!first is live"},
		"?q=beta":        {"second is live", "!first is live"},
		"?q=reset-after": {"fourth is live", "!first is live"},
		"?q=" + ids.Submissions[0].NotificationID: {"first is live", "!second is live"},
		"?only=accepted":  {"first is live", "!status 503<"},
		"?only=rejected":  {"status 503<", "token is unknown", "!first is live"},
		"?q=no+such+text": {"Nothing matches the filter.", "!first is live"},
	} {
		h.pageShows("/_emulator/"+query, want...)
	}
}

// A configured path of the service may claim /, and requests that are no look at the page are
// requests to the service.
func TestPathsThatClaimThePage(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{StudiesPath: "/"})
	h.wantProblem(h.do(http.MethodGet, "/", ""), http.StatusUnauthorized, "missing")
	h.pageShows("/_emulator/", "Notification emulator")
	h = newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodPost, "/", "{}"), http.StatusNotFound, "nothing at /")
}

// One event at first, and one for any number of changes that come close together.
func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEmulator(t, Config{})
		conn := inMemory(t, e)()
		go func() {
			_, _ = fmt.Fprint(conn, "GET /_emulator/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
		}()
		events := make(chan time.Time, 100)
		go func() {
			defer close(events)
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				if lines.Text() == "data:" {
					events <- time.Now()
				}
			}
		}()
		first := <-events
		time.Sleep(time.Minute)
		for range 100 {
			e.RevokeTokens()
		}
		second := <-events
		e.ClearLedger()
		third := <-events
		if len(events) > 0 || second.Sub(first) < time.Minute ||
			third.Sub(second) != 200*time.Millisecond {
			t.Errorf("events after %s and %s, and %d more", second.Sub(first), third.Sub(second),
				len(events))
		}
		e.Close()
		_ = conn.Close() // or else the reader waits for another answer
		for range events {
			t.Error("an event without a change")
		}
	})
}

// After the ledger was cleared an entry has the same number, and may have the same size. Its
// version differs, or the page would keep the old one.
func TestPageTellsEntriesOfTwoLedgersApart(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	version := regexp.MustCompile(`<li id="r(\d+)" data-version="([^"]+)"`)
	var seen [2][]string
	for i := range seen {
		h.e.ClearLedger()
		h.submit(token, minimal)
		seen[i] = version.FindStringSubmatch(h.page("/"))
		if seen[i] == nil {
			t.Fatal("no entry")
		}
	}
	if seen[0][1] != seen[1][1] || seen[0][2] == seen[1][2] {
		t.Errorf("%q, then %q", seen[0], seen[1])
	}
}
