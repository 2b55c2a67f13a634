package emulator

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
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
	h.pageShows("/", "Nothing has arrived yet", `auth_url  = "`+h.root+`"`,
		`base_url  = "`+h.root+`"`,
		`client_id = "`+testID+`"`, `system = "emea"`, `notifications_path = "send/it"`, "!"+testSecret)
	if r := h.do(http.MethodGet, "/favicon.ico", ""); r.header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("the icon is %d %v", r.status, r.header)
	}
}

// Package page has what is listed, and how.
func TestPageLists(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "pass,hang*3"}})
	token := h.token()
	h.submit(token, minimal)
	h.lookUp("unknown", "?name=ATLAS")
	const accepted, rejected = `"badge accepted"`, "the token is unknown"
	h.pageShows("/", "hang*3", accepted, rejected, "<b>3</b> all", "<b>1</b> valid, of 1 issued")
	h.pageShows("/_emulator/?q=HIGH&only=accepted", accepted, "!"+rejected)
}

// What was rejected is shown with its body, lookups with what they found, token requests with
// client and scope; and nothing of it is a credential of the emulator's.
func TestPageShowsWhatArrived(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	h.ask(credentials("scope", "notifications.read"))
	h.ask(credentials("client_id", "somebody else", "client_secret", "canary"))
	h.ask(credentials("client_id", testSecret, "client_secret", "canary")) // mixed up
	h.submit(token, `{"channels":[{"type":"slack","recipeint":["W1"],"token":"`+token+`"}],"priority":"HIGH"}`)
	h.submit("canary", `{"channels":[{"type":"slack","subject":"`+token+`"}],"priority":"HIGH"}`)
	h.do(http.MethodPost, submissionPath, credentials("x", "1"), "Authorization", "Basic canary")
	h.lookUp(token, "?name=ATLAS")
	h.lookUp(token, "?name=no+such+study")
	h.pageShows("/", "recipeint", `&#34;token&#34;:&#34;(hidden)&#34;`, "client_secret=(hidden)&amp;",
		"ATLAS: 1 study", "no such study: 0 studies", "9007199254740993", "/studies/v1?name=no&#43;such",
		"<dt>client</dt><dd>somebody else</dd>", "token for "+testID, "<dt>scope</dt><dd>notifications.read</dd>",
		"<dt>parameters</dt><dd>client_id, client_secret, grant_type, scope</dd>")
	everything := h.page("/") + h.do(http.MethodGet, "/_emulator/ledger", "").body
	for _, secret := range []string{"canary", testSecret, "s3cret &amp; sound", token} {
		if strings.Contains(everything, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	if n := strings.Count(everything, `"found":1`); n != 1 {
		t.Errorf("%d lookups have found one", n)
	}
}

// After the ledger was cleared the counts are those of what is listed, and those of the tokens,
// which are still valid, do not contradict them.
func TestPageCountsAfterClearing(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for range 3 {
		h.token()
	}
	h.e.RevokeTokens()
	token := h.token()
	h.e.ClearLedger()
	h.pageShows("/", "<b>1</b> valid, of 4 issued since the start", "!</b> tokens",
		"!</b> lookups")
	h.lookUp(token, "?name=ATLAS")
	h.lookUp("unknown", "?name=ATLAS")
	h.ask(credentials("client_secret", "wrong"))
	h.token()
	h.pageShows("/", "<b>2</b> valid, of 5 issued since the start", "<b>1</b> tokens",
		"<b>1</b> lookups", "<b>2</b> rejected")
}

// What the page offers to copy is the request, as a shell sends it again.
func TestPageCopiesRequestsAsCurl(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s", name)
		}
	}
	h := newTCPHarness(t, newEmulator(t, Config{
		IdempotencyKeyHeader: keyHeader, Systems: []string{"a b"},
	}))
	const quoted = `{"channels":[{"type":"it's $HOME \\ \"q\" {1,2} @x\n"}],"priority":"HIGH"}`
	const misspelt = `{"prioritty": "it's"}`
	token := h.token()
	for _, body := range []string{quoted, misspelt} {
		r := h.submission(token, body)
		r.URL.Path, r.URL.RawPath = "/a b/notifications/v1", ""
		r.Header.Set(keyHeader, "it's k")
		h.answered(r)
	}
	h.do(http.MethodGet, "/a%20b/studies/v1?name=AT[1]&x=%27", "", "Authorization", "Bearer "+token)
	before := h.e.Ledger()
	commands := regexp.MustCompile(`data-copy="(curl[^"]*)"`).FindAllStringSubmatch(h.page("/"), -1)
	slices.Reverse(commands) // the oldest first
	for _, command := range commands {
		script := exec.CommandContext(t.Context(), "sh", "-ec", html.UnescapeString(command[1]))
		script.Env = append(os.Environ(), "TOKEN="+token, "NOTIFICATION_CLIENT_SECRET="+testSecret)
		if out, err := script.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, command[1], out)
		}
	}
	after := h.e.Ledger()
	if len(before.Requests) != 4 || len(after.Requests) != 8 || after.Repetitions != 1 {
		t.Fatalf("%d requests, then %d", len(before.Requests), len(after.Requests))
	}
	for i, was := range before.Requests {
		is := after.Requests[i+4]
		if was.Method != is.Method || was.Path != is.Path || was.Query != is.Query ||
			was.Status != is.Status || was.Reason != is.Reason || was.IdempotencyKey != is.IdempotencyKey {
			t.Errorf("got  %+v\nwant %+v", is, was)
		}
	}
	if got := after.Requests[5].Body; got != quoted { // a repetition
		t.Errorf("got %s", got)
	}
	if got := after.Requests[6].Body; got != misspelt {
		t.Errorf("got %s", got)
	}
}

// What is not kept as it came would be another request.
func TestPageCopiesNoOtherRequest(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{IdempotencyKeyHeader: keyHeader})
	token := h.token()
	h.e.ClearLedger()
	submit := func(body string, header ...string) {
		h.do(http.MethodPost, submissionPath, body, append([]string{"Content-Type", "application/json"},
			header...)...)
	}
	bearer := []string{"Authorization", "Bearer " + token}
	submit(minimal, append(bearer, "Traceparent", "garbage")...)
	submit(minimal, append(bearer, bearer...)...)
	submit(minimal, "Authorization", "Basic canary")
	submit(minimal, append(bearer, keyHeader, "a", keyHeader, "b")...)
	submit(minimal, append(bearer, keyHeader, token)...)
	submit(`{"code":"`+token+`"}`, bearer...)
	submit("\xff", bearer...)
	h.lookUp(token, "?name=ATLAS&access_token="+token)
	h.do(http.MethodGet, "/x/"+token, "")
	h.do(http.MethodGet, "/x?y=z", "")
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	h.do(http.MethodPost, tokenPath+"?a=b", credentials(), form...)
	h.do(http.MethodPost, tokenPath, credentials()+"&scope=a&scope=b", form...)
	h.do(http.MethodPost, tokenPath, credentials("scope", token), form...)
	h.do(http.MethodPost, tokenPath, credentials(), append(form, bearer...)...)
	if n := len(h.e.Ledger().Requests); n != 14 {
		t.Fatalf("%d requests", n)
	}
	h.pageShows("/", "!Copy as curl")
}

// The forms of the page work without its script.
func TestPageForms(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	h.token()
	post := func(form string) reply {
		return h.do(http.MethodPost, "/_emulator/", form, "Content-Type", "application/x-www-form-urlencoded")
	}
	done := func(form string) {
		t.Helper()
		if r := post(form); r.status != http.StatusSeeOther || r.header.Get("Location") != "/_emulator/" {
			t.Errorf("%s: %d %v", form, r.status, r.header)
		}
	}
	done("do=inject&target=token&count=1&fault=status:503")
	done("do=inject&target=submission&count=3&fault=redirect:/a%2526b")
	if f := h.e.Faults(); f["token"] != "status:503" || f["submission"] != "redirect:/a%26b*3" {
		t.Errorf("got %v", f)
	}
	for _, sentence := range regexp.MustCompile(`<option value="([a-z]+=[^"]+)">`).
		FindAllStringSubmatch(h.page("/"), -1) {
		done("do=inject&count=2&fault=" + url.QueryEscape(sentence[1]))
		target, step, _ := strings.Cut(sentence[1], "=")
		if got := h.e.Faults()[target]; got != step+"*2" {
			t.Errorf("%s: got %s", sentence[1], got)
		}
	}
	if f := h.e.Faults(); f["submission"] != "no-id*2" || f["studies"] != "empty*2" {
		t.Errorf("these are not the sentences: %v", f)
	}
	done("do=clear-faults")
	done("do=revoke")
	done("do=clear-ledger")
	h.pageShows("/", "<b>0</b> valid, of 1 issued")
	if f := h.e.Faults(); f["token"]+f["submission"] != "" || len(h.e.Ledger().Requests) != 0 {
		t.Errorf("got %v, %+v", f, h.e.Ledger())
	}
	for form, want := range map[string]string{
		"do=inject&target=tokens&count=1":          "no faults for &#34;tokens&#34;",
		"do=inject&target=token&count=&fault=html": "COUNT must be",
		"do=dance":            "nothing to do",
		"do=revoke&do=revoke": "must not hold &#34;do&#34;, or not 2 times", "do=revoke&all=1": "must not hold &#34;all&#34;",
		"do=%zz":                             "invalid URL escape",
		"do=" + strings.Repeat("x", maxBody): "too large",
	} {
		r := post(form)
		if r.status != http.StatusBadRequest || !strings.Contains(r.body, want) ||
			!regexp.MustCompile(`(?s)role="alert">[^<].*<aside`).MatchString(r.body) {
			t.Errorf("%.50s: %d %s", form, r.status, r.body)
		}
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

// One event at first, and one for any number of changes at once; package page has the pauses.
func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{})
		began := time.Now()
		time.AfterFunc(time.Second, func() {
			for range 100 {
				h.e.RevokeTokens()
			}
		})
		time.AfterFunc(2*time.Second, h.e.ClearLedger)
		time.AfterFunc(time.Minute, h.e.Close)
		r := h.do(http.MethodGet, "/_emulator/events", "")
		took := time.Since(began)
		if r.body != "data:\n\ndata:\n\ndata:\n\n" || took != time.Minute {
			t.Errorf("got %q after %s", r.body, took)
		}
	})
}
