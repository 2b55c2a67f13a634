package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
)

// fieldPrefix precedes the name of a field in a query.
const fieldPrefix = "fields."

// ofRecords and ofChannels are what a query may ask for: what a request has, and what has to be in
// one and the same channel of it.
var (
	ofRecords = map[string]func(*Record) string{
		"kind":            func(r *Record) string { return r.Target },
		"status":          func(r *Record) string { return strconv.Itoa(r.Status) },
		"trace_id":        func(r *Record) string { return r.TraceID },
		"priority":        func(r *Record) string { return r.Content.Priority },
		"system":          func(r *Record) string { return r.System },
		"notification_id": func(r *Record) string { return r.NotificationID },
		"idempotency_key": func(r *Record) string { return r.IdempotencyKey },
	}
	ofChannels = map[string]func(*notification.Channel) string{
		"type":         func(c *notification.Channel) string { return c.Type },
		"subject":      func(c *notification.Channel) string { return c.Subject },
		"content_type": func(c *notification.Channel) string { return c.ContentType },
		"template_id":  func(c *notification.Channel) string { return c.TemplateID },
	}
)

// forms are the values that a parameter takes where not every one will do: a pattern, and the same
// for people.
var forms = map[string]struct{ pattern, are string }{
	"kind":     {"token|submission|studies|other", "token, submission, studies or other"},
	"status":   {"0|[2-5][0-9][0-9]", "0 (no answer) or from 200 to 599"},
	"trace_id": {"|[0-9a-f]{32}", "32 hexadecimal digits in lower case"},
	"at_least": {"[1-9][0-9]{0,8}", "a whole number, 1 or more"},
	"limit":    {"[0-9]{1,9}", "a whole number, 0 or more"},
}

// Query asks for notifications; or for requests, where it holds a parameter of theirs. Each must be
// equal. Those of a channel must be so in the same channel, and an empty one asks for a channel
// without it. What a rejected submission held counts as far as it can be read.
type Query struct {
	records  []func(*Record) bool
	channels []func(*notification.Channel) bool
	requests bool // it asks for them
	limit    int  // how many of the newest are in the answer
	atLeast  int  // how many must match

	Wait time.Duration // for that many
}

// Selection is what matches a query, in order of arrival.
type Selection struct {
	Version     int          `json:"version"` // as in Ledger
	Count       int          `json:"count"`   // of all that match, also beyond the limit of the query
	Dropped     int          `json:"dropped"` // entries that the ledger has no longer, matching or not
	Submissions []Submission `json:"submissions"`
	// Requests are those of a query for requests, which Count then counts.
	Requests []Request `json:"requests,omitzero"`
}

// ParseQuery reads the query of a URL. The error names what could never match anything.
func ParseQuery(rawQuery string) (Query, error) {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return Query{}, fmt.Errorf("the query is malformed: %w", err)
	}
	q := Query{requests: values.Has("kind") || values.Has("status") || values.Has("trace_id")}
	for name, given := range values {
		want, form := given[0], forms[name]
		if len(given) > 1 {
			return q, fmt.Errorf("the query must hold %.60s once, not %d times", name, len(given))
		}
		if form.pattern != "" && !regexp.MustCompile("^("+form.pattern+")$").MatchString(want) {
			return q, fmt.Errorf("%s must be %s, not %.60q", name, form.are, want)
		}
		ofRecord, ofChannel := ofRecords[name], ofChannels[name]
		if field, ok := strings.CutPrefix(name, fieldPrefix); ok {
			ofChannel = func(c *notification.Channel) string { return c.Fields[field] }
		}
		switch {
		case ofRecord != nil:
			q.records = append(q.records, func(r *Record) bool { return ofRecord(r) == want })
		case ofChannel != nil:
			q.channels = append(q.channels,
				func(c *notification.Channel) bool { return ofChannel(c) == want })
		case name == "recipient": // of which a channel may have several
			q.channels = append(q.channels, func(c *notification.Channel) bool {
				return slices.Contains(c.Recipient, want) || want == "" && len(c.Recipient) == 0
			})
		case !slices.Contains([]string{"at_least", "limit", "wait"}, name):
			return q, fmt.Errorf("the query must not hold a parameter %.60q, only at_least, content_type, "+
				"%sNAME, idempotency_key, kind, limit, notification_id, priority, recipient, status, "+
				"subject, system, template_id, trace_id, type and wait", name, fieldPrefix)
		}
	}
	q.atLeast, _ = strconv.Atoi(values.Get("at_least")) // is a number
	q.limit, _ = strconv.Atoi(cmp.Or(values.Get("limit"), strconv.Itoa(math.MaxInt)))
	q.Wait, err = time.ParseDuration(cmp.Or(values.Get("wait"), "0"))
	switch priority := values.Get("priority"); {
	case err != nil || q.Wait < 0:
		return q, fmt.Errorf("wait must be a duration such as 30s, not %.60q", values.Get("wait"))
	case values.Has("wait") && q.atLeast == 0:
		return q, errors.New("wait needs at_least")
	case values.Has("priority") && !q.requests: // a notification has no other
		return q, notification.CheckPriority(priority)
	}
	return q, nil
}

// Select returns what the query asks for, and whether that is as many as it asks for. Otherwise the
// lists are left out, unless they are asked for all the same.
func (b *Book) Select(q Query, anyway bool) (s Selection, enough bool) {
	s = Selection{Version: Version, Dropped: b.Counts.Notifications, Submissions: []Submission{}}
	if q.requests {
		s.Dropped, s.Requests = b.Entered-len(b.Records), []Request{}
	}
	var found []*Record
	for _, kept := range slices.Backward(b.Records) {
		accepted := kept.Submission != nil
		if accepted && !q.requests {
			s.Dropped--
		}
		if (accepted || q.requests) && q.matches(kept) {
			if s.Count++; s.Count <= q.limit {
				found = append(found, kept)
			}
		}
	}
	if enough = s.Count >= q.atLeast; q.records == nil && q.channels == nil {
		enough = s.Count+s.Dropped >= q.atLeast // what was dropped has matched, too
	}
	if !enough && !anyway {
		return s, false
	}
	for _, kept := range slices.Backward(found) {
		if kept.Submission != nil {
			s.Submissions = append(s.Submissions, *kept.Submission)
		}
		if q.requests {
			s.Requests = append(s.Requests, kept.Request)
		}
	}
	return s, enough
}

func (q Query) matches(r *Record) bool {
	if !all(q.records, r) {
		return false
	}
	for i := range r.Content.Channels {
		if all(q.channels, &r.Content.Channels[i]) {
			return true
		}
	}
	return q.channels == nil
}

func all[T any](conditions []func(*T) bool, of *T) bool {
	for _, holds := range conditions {
		if !holds(of) {
			return false
		}
	}
	return true
}
