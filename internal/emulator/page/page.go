// Package page is the emulator's page: it lists what arrived, newest first, and follows what
// arrives.
package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/notification"
)

// ContentSecurityPolicy allows what the page consists of, and nothing else.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const (
	// maxShown bounds the entries of the page.
	maxShown = 100
	// eventPause is the shortest time between two events: each makes the page load itself.
	eventPause = 200 * time.Millisecond
)

// Assets are the names of the Files that the page loads.
var Assets = []string{"script.js", "style.css", "icon.svg"}

// Files are those, and the template of the page.
//
//go:embed index.html script.js style.css icon.svg
var Files embed.FS

var index = template.Must(template.New("index.html").
	Funcs(template.FuncMap{"path": url.PathEscape, "quote": quote, "thousands": thousands}).ParseFS(Files, "index.html"))

// View is what the page shows.
type View struct {
	Origin        string // under which the browser reached the emulator
	Insecure      bool   // the provider takes that only if it is told to
	Query, Only   string // the filter; empty: all
	Before        int    // the number of the entry above those that are listed; 0: none is
	Now           time.Time
	Kinds         []fault.Kind
	Counts        []count // of all and of each outcome, as far as Query lets them through
	Entries       []entry
	Older         int // Before of the page with those that follow; 0: none do
	Arrived       int // requests, those included that the ledger has dropped
	Dropped       int // those
	Notifications int

	// What NewView and List leave to others.
	Wrong             string // with a form of the page; empty: nothing
	ClientID          string
	KeyHeader         string // of idempotency keys; empty: none
	System            string // the first; empty: none
	NotificationsPath string // relative; empty: the default
	Faults            fault.Faults
	Valid, Issued     int // tokens that are valid, and all that were ever issued
}

// count is how many entries a filter lists.
type count struct {
	Outcome string // empty: all
	N       int
}

// NewView returns what is known from the request for the page. The error is about a parameter.
func NewView(r *http.Request) (View, error) {
	host := (&url.URL{Host: r.Host}).Hostname()
	v := View{Origin: "http://" + r.Host, Now: time.Now(), Kinds: fault.Kinds()}
	v.Insecure = host != "localhost" && !net.ParseIP(host).IsLoopback() // a name has none
	query, err := url.ParseQuery(r.URL.RawQuery)
	for name, values := range query {
		switch value := values[0]; {
		case len(values) > 1:
			err = fmt.Errorf("the page takes %.60s once, not %d times", name, len(values))
		case name == "q":
			v.Query = value
		case name == "only" && (value == "" || slices.Contains(ledger.Outcomes, value)):
			v.Only = value
		case name == "before" && err == nil:
			if v.Before, err = strconv.Atoi(value); err != nil || v.Before < 1 {
				err = fmt.Errorf("before must be a number from 1, not %.60q", value)
			}
		default:
			err = fmt.Errorf("the page has no %.60s=%.60s", name, value)
		}
	}
	return v, err
}

// List adds what the filter lets through of the book, the newest first, and its counts. It copies
// them: the lock of the book need not be held any longer.
func (v *View) List(b *ledger.Book) {
	v.Notifications, v.Arrived = b.Counts.Notifications, b.Entered
	v.Dropped = b.Entered - len(b.Records)
	query, counts := strings.ToLower(v.Query), make(map[string]int)
	for _, kept := range slices.Backward(b.Records) {
		if query != "" && !contains(kept, query) {
			continue
		}
		outcomes := append(kept.Outcomes(), "")
		for _, outcome := range outcomes {
			counts[outcome]++
		}
		switch n := len(v.Entries); {
		case !slices.Contains(outcomes, v.Only) || v.Before > 0 && kept.Number >= v.Before:
		case n < maxShown:
			v.Entries = append(v.Entries, entry{*kept})
		default:
			v.Older = v.Entries[n-1].Number
		}
	}
	for _, outcome := range append([]string{""}, ledger.Outcomes...) {
		v.Counts = append(v.Counts, count{outcome, counts[outcome]})
	}
}

// thousands writes a number with its thousands separated.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// contains says whether a part of the record that people look for contains the text, which is in
// lower case.
func contains(r *ledger.Record, text string) bool {
	in := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool {
			return strings.Contains(strings.ToLower(part), text)
		})
	}
	if in(r.Target, r.Path, r.Query, r.Reason, r.Fault, r.NotificationID, r.RequestID, r.TraceID,
		r.IdempotencyKey, r.RepetitionOf, r.Body) || r.Lookup != nil && in(r.Lookup.Name) ||
		r.Form != nil && in(r.Form.ClientID, r.Form.Scope) {
		return true
	}
	return r.Submission != nil && (in(r.Submission.Priority, r.Submission.System) ||
		slices.ContainsFunc(r.Submission.Channels, func(c notification.Channel) bool {
			return in(c.Type, c.Subject, c.ContentType, c.TemplateID) || in(c.Recipient...) ||
				in(slices.Collect(maps.Keys(c.Fields))...) || in(slices.Collect(maps.Values(c.Fields))...)
		}))
}

// Write sends the page.
func (v View) Write(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = index.Execute(w, v) // fails when the client has gone
}

// ServeEvents sends an event without content at first and after each change (server-sent events, in
// the HTML standard), until the client goes or closed ends it.
func ServeEvents(
	w http.ResponseWriter, r *http.Request, changed func() <-chan struct{}, closed <-chan struct{},
) {
	w.Header().Set("Content-Type", "text/event-stream")
	controller := http.NewResponseController(w)
	for {
		change := changed()
		if _, err := io.WriteString(w, "data:\n\n"); err != nil || controller.Flush() != nil {
			return
		}
		select {
		case <-change:
		case <-r.Context().Done():
			return
		case <-closed:
			return
		}
		select {
		case <-time.After(eventPause):
		case <-r.Context().Done():
			return
		case <-closed:
		}
	}
}
