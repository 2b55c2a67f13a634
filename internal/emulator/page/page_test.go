package page

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// enter adds a request that was concluded: with a submission an accepted one, or else one that was
// rejected for the reason, if there is one.
func enter(b *ledger.Book, path, reason string, accepted *ledger.Submission) *ledger.Record {
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, nil)
	record := ledger.NewRecord(r, route.Submission, time.Now(), ledger.NewMask("secret"))
	b.Enter(record, r)
	if accepted != nil {
		accepted.Body = []byte(`{}`)
		b.Accept(record, *accepted)
	}
	b.Conclude(record, http.StatusOK, reason)
	return record
}

func newView(t *testing.T, query string) View {
	t.Helper()
	v, err := NewView(httptest.NewRequest(http.MethodGet, "http://localhost/"+query, nil))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func show(t *testing.T, b *ledger.Book, query string) string {
	t.Helper()
	v := newView(t, query)
	v.List(b)
	w := httptest.NewRecorder()
	v.Write(w, http.StatusOK)
	body := w.Body.String()
	if w.Header().Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.HasSuffix(strings.TrimSpace(body), "</html>") {
		t.Fatalf("%v\n%s", w.Header(), body)
	}
	return body
}

// What a sender controls is text, wherever the page shows it.
func TestEscapes(t *testing.T) {
	t.Parallel()
	const mark = `<script>"'&`
	b := ledger.NewBook(0)
	enter(b, "/", "", &ledger.Submission{Priority: "HIGH", Channels: []notification.Channel{{
		Type: mark, Recipient: []string{mark}, Subject: mark, ContentType: mark, TemplateID: mark,
		Fields: map[string]string{mark: mark},
	}}})
	enter(b, "/", fmt.Sprintf("there must not be a member %q", mark), nil)
	nowhere := enter(b, "/%3Cscript%3E", "there is nothing at /%3Cscript%3E", nil)
	nowhere.Headers["X-Mark"] = mark
	body := show(t, b, "?q=%3Cscript%3E")
	if n := strings.Count(body, "<script"); n != 1 {
		t.Errorf("there are %d scripts in\n%s", n, body)
	}
	if n := strings.Count(body, "&lt;script&gt;"); n < 12 {
		t.Errorf("only %d of the texts are there:\n%s", n, body)
	}
	if !strings.Contains(show(t, b, ""), "<dt>X-Mark</dt><dd>&lt;script&gt;") {
		t.Error("the header is missing")
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	b := ledger.NewBook(0)
	one := enter(b, "/one", "", &ledger.Submission{
		NotificationID: "0011-aa", Priority: "HIGH", System: "Emea",
		Channels: []notification.Channel{{Type: "mail", Subject: "first"}, {
			Type: "slack", Recipient: []string{"W1", "W2"}, Subject: "Is live", ContentType: "md",
			TemplateID: "deployed", Fields: map[string]string{"Service": "Checkout"},
		}},
	})
	one.Fault, one.TraceID, one.RequestID = "delay:1s", "af76", "f067"
	enter(b, "/two", "the token is unknown", nil)
	three := enter(b, "/three", "", nil)
	three.Lookup, three.Form = &ledger.Lookup{Name: "Atlas"}, &ledger.Form{ClientID: "demo", Scope: "a.b"}
	three.Body, three.Query = "misspelt", "x=y"
	broken := enter(b, "/four", "an injected fault", &ledger.Submission{
		NotificationID: "0022-bb", Priority: "BATCH", Channels: []notification.Channel{{Type: "sms"}},
	})
	broken.Status = 0
	repeated := enter(b, "/five", "", nil)
	repeated.RepetitionOf, repeated.IdempotencyKey = one.NotificationID, "<K>"
	for query, want := range map[string]string{
		"": "54321", "only=accepted": "41", "only=rejected": "2", "only=lookups": "3", "only=lost": "4",
		"only=repeated": "5", "only=tokens": "", "only=": "54321", "before=4": "321",
		"before=3&only=accepted": "1", "q=k%3E": "5", "q=submission": "54321",
		"q=atlas": "3", "q=demo": "3", "q=A.B": "3", "q=misspelt": "3", "q=x%3Dy": "3",
		"q=HIGH": "1", "q=emea": "1", "q=w2": "1", "q=IS+LIVE": "1", "q=md": "1", "q=Deployed": "1",
		"q=service": "1", "q=checkout": "1", "q=first": "1", "q=slack": "1", "q=0011": "51",
		"q=delay": "1", "q=af76": "1", "q=f067": "1", "q=%2Ftwo": "2", "q=unknown": "2", "q=%2Fthree": "3",
		"q=the+token": "2", "q=batch": "4", "q=injected&only=accepted": "4",
		"q=injected&only=rejected": "", "q=nothing+has+this": "",
	} {
		v := newView(t, "?"+query)
		v.List(b)
		var numbers []string
		for _, e := range v.Entries {
			numbers = append(numbers, strconv.Itoa(e.Number))
		}
		if got := strings.Join(numbers, ""); got != want || v.Older != 0 || v.Notifications != 2 {
			t.Errorf("%s: lists %q, want %q, of %d notifications", query, got, want, v.Notifications)
		}
		// What is counted is what is shown.
		for _, c := range v.Counts {
			shown := newView(t, "?only="+c.Outcome+"&q="+url.QueryEscape(v.Query))
			if shown.List(b); len(shown.Entries) != c.N {
				t.Errorf("%s: counts %d %s, lists %d", query, c.N, c.Outcome, len(shown.Entries))
			}
		}
	}
	const nothing = "Nothing matches the filter."
	body := show(t, b, "")
	for _, part := range []string{
		`id="r1"`, "no subject", broken.NotificationID, "fault delay:1s", `"priority">BATCH<`,
		"<dt>trace id</dt><dd>af76", "<dt>request id</dt><dd>f067", "<b>1</b> lost", "<b>5</b> all",
		">W1<", ">deployed<", ">Checkout<", `class="why">repetition of 0011-aa</span>`,
		"<dt>idempotency key</dt><dd>&lt;K&gt; ",
	} {
		if !strings.Contains(body, part) || strings.Contains(body, nothing) {
			t.Errorf("no %q in\n%s", part, body)
		}
	}
	if body := show(t, b, "?q=nothing+has+this"); !strings.Contains(body, nothing) {
		t.Error(body)
	}
}

// A filter that does not exist would show everything.
func TestRefusesParameters(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"only=none": "only=none", "before=x": `not "x"`, "before=x&only=lost": "",
		"before=-1": `not "-1"`, "before=0": "from 1", "q=a&q=b": "takes q once, not 2 times",
		"unknown=1": "has no unknown=1", "class=rejected": "class=rejected",
		"q=%zz": "invalid URL escape",
	} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/?"+query, nil)
		if _, err := NewView(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", query, err)
		}
	}
}

func TestIsBounded(t *testing.T) {
	t.Parallel()
	b := ledger.NewBook(0)
	for range maxShown {
		large := enter(b, "/", "", &ledger.Submission{Priority: "HIGH", Channels: []notification.Channel{
			{Type: strings.Repeat("x", maxEntry)},
		}})
		b.Grow(large, maxEntry)
	}
	if body := show(t, b, ""); strings.Contains(body, "Older") {
		t.Error("all of them are shown, but it says otherwise")
	}
	long := strings.Repeat("long", maxEntry)
	other := enter(b, "/"+long, long, nil)
	other.Form = &ledger.Form{ClientID: long, Scope: long, Parameters: []string{long}}
	other.Query, other.Body, other.Lookup = long, long, &ledger.Lookup{Name: long}
	other.Method, other.IdempotencyKey = long, long
	body := show(t, b, "")
	if n := strings.Count(body, "<li "); n != maxShown || len(body) > 200_000 ||
		!strings.Contains(body, `href="?before=2&amp;only=&amp;q="`) ||
		strings.Count(body, "too large to show") != maxShown {
		t.Errorf("%d entries, %d bytes", n, len(body))
	}
	body = show(t, b, "?before=2")
	if strings.Count(body, "<li ") != 1 || !strings.Contains(body, `id="r1"`) ||
		!strings.Contains(body, ">Newest<") || strings.Contains(body, ">Older<") {
		t.Error(body)
	}
}

// What the empty page says works at an address where the provider refuses plain HTTP, too.
func TestEmptyPageElsewhere(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]int{
		"localhost:80": 0, "127.0.0.1": 0, "[::1]:80": 0, "10.0.0.1:80": 1, "emulator": 1, "a.localhost": 1,
	} {
		r := httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil)
		v, err := NewView(r)
		w := httptest.NewRecorder()
		v.Write(w, http.StatusOK)
		for _, setting := range []string{
			"\nexport NOTIFICATION_ALLOW_INSECURE_HTTP='true'\n", "\n  allow_insecure_http = true\n",
		} {
			if n := strings.Count(w.Body.String(), setting); err != nil || n != want {
				t.Errorf("%s: %v, %q is there %d times", host, err, setting, n)
			}
		}
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 123456: "123,456", 1234567: "1,234,567",
	} {
		if got := thousands(n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Every text of a notification has a direction of its own.
func TestDirections(t *testing.T) {
	t.Parallel()
	const arabic = "مرحبا"
	b := ledger.NewBook(0)
	enter(b, "/", "", &ledger.Submission{Priority: "HIGH", Channels: []notification.Channel{{
		Type: arabic, Recipient: []string{arabic, arabic}, Subject: arabic, ContentType: arabic,
		TemplateID: arabic, Fields: map[string]string{arabic: arabic},
	}}})
	body := show(t, b, "")
	all := strings.Count(body, arabic)
	if n := strings.Count(body, `dir="auto">`+arabic+"<"); n != all || n < 15 {
		t.Errorf("%d of %d texts have one:\n%s", n, all, body)
	}
}

// A page without entries says why there are none.
func TestSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	b := ledger.NewBook(1)
	enter(b, "/", "nobody knows", nil)
	if body := show(t, b, ""); !strings.Contains(body, "The oldest 1 were dropped") {
		t.Error(body)
	}
	b = ledger.NewBook(0)
	found := enter(b, "/", "", nil)
	found.Lookup, found.Studies = &ledger.Lookup{Found: 1}, [][]byte{make([]byte, maxEntry+1)}
	if body := show(t, b, ""); !strings.Contains(body, "found is too large to show") ||
		strings.Contains(body, "were dropped") {
		t.Error(body)
	}
}

// The page keeps an entry whose version is the same. That of one which never gets an answer changes
// when this is known; and after the ledger was cleared, an entry has the number of another one, and
// may have its size.
func TestVersions(t *testing.T) {
	t.Parallel()
	b := ledger.NewBook(0)
	hung := enter(b, "/", "", nil)
	hung.Status = 0
	hanging := show(t, b, "")
	b.Conclude(hung, 0, "an injected fault")
	cleared := ledger.NewBook(0)
	other := enter(cleared, "/", "an injected fault", nil)
	other.Status, other.Time = 0, hung.Time.Add(time.Nanosecond)
	var versions []string
	for _, body := range []string{hanging, show(t, b, ""), show(t, cleared, "")} {
		versions = append(versions,
			regexp.MustCompile(`<li id="r1" data-version="[^"]+"`).FindString(body))
	}
	if slices.Sort(versions); versions[0] == "" || len(slices.Compact(versions)) < 3 {
		t.Errorf("got %q", versions)
	}
}

// An entry of exactly the limit is shown in full.
func TestLarge(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]bool{maxEntry: false, maxEntry + 1: true} {
		if got := (entry{ledger.Record{Size: size}}).Large(); got != want {
			t.Errorf("%d bytes: %t", size, got)
		}
	}
}

// The form offers every kind of fault, with what it does.
func TestOffersTheFaults(t *testing.T) {
	t.Parallel()
	body := show(t, ledger.NewBook(0), "")
	for _, kind := range fault.Kinds() {
		if !strings.Contains(body, `<option value="`+kind.Example()+`">`) {
			t.Errorf("%s is missing", kind.Example())
		}
	}
}

// stream takes events, and says when.
type stream struct {
	*httptest.ResponseRecorder
	began  time.Time
	events []time.Duration
	gone   bool // a client that left
}

func (s *stream) FlushError() error {
	s.events = append(s.events, time.Since(s.began))
	if s.gone {
		return net.ErrClosed
	}
	return nil
}

// A change that is held back is told before the end of the emulator ends the stream, and to nobody
// where the client has left.
func TestEvents(t *testing.T) {
	t.Parallel()
	const change = time.Second
	for name, test := range map[string]struct {
		leave, end time.Duration // of the client, of the emulator; 0: not before a minute is over
		gone       bool
		events     string
		took       time.Duration
	}{
		"ends":                     {0, 0, false, "[0s 1.2s]", time.Minute},
		"ends before the change":   {0, change / 2, false, "[0s]", change / 2},
		"ends in the pause":        {0, change + eventPause/2, false, "[0s 1.1s]", change + eventPause/2},
		"leaves before the change": {change / 2, 0, false, "[0s]", change / 2},
		"leaves in the pause":      {change + eventPause/2, 0, false, "[0s]", change + eventPause/2},
		"has left":                 {0, 0, true, "[0s]", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			first, never, closed := make(chan struct{}), make(chan struct{}), make(chan struct{})
			changes := []chan struct{}{first, never, never}
			next := func() <-chan struct{} {
				change := changes[0]
				changes = changes[1:]
				return change
			}
			time.AfterFunc(change, func() { close(first) })
			time.AfterFunc(cmp.Or(test.end, time.Minute), func() { close(closed) })
			time.AfterFunc(cmp.Or(test.leave, time.Hour), leave)
			w := &stream{ResponseRecorder: httptest.NewRecorder(), began: time.Now(), gone: test.gone}
			ServeEvents(w, httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx), next, closed)
			took := time.Since(w.began)
			if fmt.Sprint(w.events) != test.events || took != test.took ||
				w.Body.String() != strings.Repeat("data:\n\n", len(w.events)) ||
				w.Header().Get("Content-Type") != "text/event-stream" {
				t.Errorf("%s: %s after %s, %q", name, w.events, took, w.Body)
			}
		})
	}
}
