package emulator

import (
	"embed"
	"html/template"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// contentSecurityPolicy allows what the page consists of, and nothing else.
	contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	// maxShown bounds the entries of the page, maxEntry the size of those that it shows in full.
	maxShown, maxEntry = 100, 16 << 10
	// eventPause is the shortest time between two events: each makes the page load itself.
	eventPause = 200 * time.Millisecond
)

//go:embed page
var assets embed.FS

var page = template.Must(template.ParseFS(assets, "page/index.html"))

// view is what the page shows.
type view struct {
	Origin            string // under which the browser reached the emulator
	ClientID          string
	System            string // the first; empty: none
	NotificationsPath string // relative; empty: the default
	Query, Only       string // the filter
	Entries           []record
	More              bool // there are more than maxShown
	Notifications     int
	Rejected          int
	Tokens, Valid     int // tokens that were issued, and those that are valid
	Lookups           int
	Faults            Faults
	Kinds             []kind
}

func (e *Emulator) servePage(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	v := view{
		NotificationsPath: strings.TrimPrefix(e.config.NotificationsPath, "/"),
		Origin:            "http://" + r.Host,
		ClientID:          e.config.ClientID,
		Query:             query.Get("q"),
		Only:              query.Get("only"),
		Faults:            e.Faults(),
		Kinds:             kinds(),
	}
	if r.TLS != nil {
		v.Origin = "https://" + r.Host
	}
	if len(e.config.Systems) > 0 {
		v.System = e.config.Systems[0]
	}
	e.fill(&v)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, v) // fails when the client has gone
}

// fill adds what changes.
func (e *Emulator) fill(v *view) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v.Notifications, v.Rejected = e.book.notifications, e.book.rejected
	v.Tokens, v.Lookups = e.book.tokensIssued, e.book.counts[targetStudies]
	for _, t := range e.tokens {
		if t.valid(e.now()) {
			v.Valid++
		}
	}
	query := strings.ToLower(v.Query)
	for _, kept := range slices.Backward(e.book.records) {
		if !kept.shown(v.Only) || !kept.contains(query) {
			continue
		}
		if len(v.Entries) == maxShown {
			v.More = true
			return
		}
		v.Entries = append(v.Entries, *kept)
	}
}

// shown says whether the page lists the record, and whether its filter does: tokens that were
// issued and lookups that were answered are only counted.
func (r *record) shown(only string) bool {
	accepted := r.Submission != nil
	switch only {
	case "accepted":
		return accepted
	case "rejected":
		return !accepted && r.Reason != ""
	}
	return accepted || r.Reason != ""
}

// contains says whether a part of the record that the page shows contains the text, which is in
// lower case.
func (r *record) contains(text string) bool {
	in := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool {
			return strings.Contains(strings.ToLower(part), text)
		})
	}
	if in(r.Path, r.Reason, r.Fault, r.NotificationID, r.RequestID, r.TraceID) {
		return true
	}
	return r.Submission != nil && (in(r.Submission.Priority, r.Submission.System) ||
		slices.ContainsFunc(r.Submission.Channels, func(c Channel) bool {
			return in(c.Type, c.Subject, c.ContentType, c.TemplateID) || in(c.Recipient...) ||
				in(slices.Collect(maps.Keys(c.Fields))...) || in(slices.Collect(maps.Values(c.Fields))...)
		}))
}

// Large says whether the page leaves the content out.
func (r *record) Large() bool { return r.Size > maxEntry }

// serveEvents sends an event without content at first and after each change (server-sent events, in
// the HTML standard).
func (e *Emulator) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	controller := http.NewResponseController(w)
	for {
		e.mu.Lock()
		changed := e.changed
		e.mu.Unlock()
		if _, err := io.WriteString(w, "data:\n\n"); err != nil || controller.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-e.closed:
			return
		}
		if !e.wait(r.Context(), eventPause) {
			return
		}
	}
}
