package ledger

import (
	"errors"
	"fmt"
	"maps"
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

// parameter is one that a query may hold beside fields. It is about a record or a channel, and says
// whether the value there is the one that is wanted; or it is about the answer.
type parameter struct {
	record  func(r *Record, want string) bool
	channel func(c *notification.Channel, want string) bool
	// requests: whoever gives it asks for requests.
	requests bool
	// pattern is what a value has to be where not every one will do, and are the same for people.
	pattern *regexp.Regexp
	are     string
}

var parameters = map[string]parameter{
	"kind": {
		record:   func(r *Record, want string) bool { return r.Target == want },
		requests: true, pattern: regexp.MustCompile("^(token|submission|studies|other)$"),
		are: "token, submission, studies or other",
	},
	"status": {
		record:   func(r *Record, want string) bool { return strconv.Itoa(r.Status) == want },
		requests: true, pattern: regexp.MustCompile("^(0|[2-5][0-9][0-9])$"),
		are: "0 (no answer) or from 200 to 599",
	},
	"trace_id": {
		record:   func(r *Record, want string) bool { return r.TraceID == want },
		requests: true, pattern: regexp.MustCompile("^([0-9a-f]{32})?$"),
		are: "32 hexadecimal digits in lower case",
	},
	"at_least": {pattern: regexp.MustCompile("^[1-9][0-9]{0,8}$"), are: "a whole number, 1 or more"},
	"limit":    {pattern: regexp.MustCompile("^[0-9]{1,9}$"), are: "a whole number, 0 or more"},
	"wait":     {},

	"priority": {record: func(r *Record, want string) bool { return r.Content.Priority == want }},
	"system":   {record: func(r *Record, want string) bool { return r.System == want }},
	"notification_id": {
		record: func(r *Record, want string) bool { return r.NotificationID == want },
	},
	"idempotency_key": {
		record: func(r *Record, want string) bool { return r.IdempotencyKey == want },
	},

	"type": {channel: func(c *notification.Channel, want string) bool { return c.Type == want }},
	"recipient": {channel: func(c *notification.Channel, want string) bool {
		return slices.Contains(c.Recipient, want) || want == "" && len(c.Recipient) == 0
	}},
	"subject": {channel: func(c *notification.Channel, want string) bool { return c.Subject == want }},
	"content_type": {
		channel: func(c *notification.Channel, want string) bool { return c.ContentType == want },
	},
	"template_id": {
		channel: func(c *notification.Channel, want string) bool { return c.TemplateID == want },
	},
}

// Query asks for notifications; or for requests, where it holds a parameter of theirs. Each must be
// equal. Those of a channel must be so in the same channel, and an empty one asks for a channel
// without it. What a rejected submission held counts as far as it can be read.
type Query struct {
	records  []condition[Record]
	channels []condition[notification.Channel]
	requests bool // it asks for them
	limit    int  // how many of the newest are in the answer
	atLeast  int  // how many must match

	Wait time.Duration // for that many
}

// condition is a parameter and its value.
type condition[T any] struct {
	holds func(*T, string) bool
	want  string
}

func all[T any](conditions []condition[T], of *T) bool {
	for _, c := range conditions {
		if !c.holds(of, c.want) {
			return false
		}
	}
	return true
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
	q := Query{limit: math.MaxInt}
	for name, given := range values {
		p, known := parameters[name]
		if field, ok := strings.CutPrefix(name, fieldPrefix); ok {
			known = true
			p.channel = func(c *notification.Channel, want string) bool { return c.Fields[field] == want }
		}
		q.requests = q.requests || p.requests
		switch value := given[0]; {
		case !known:
			return q, fmt.Errorf("the query must not hold a parameter %.60q, only %s and %sNAME", name,
				strings.Join(slices.Sorted(maps.Keys(parameters)), ", "), fieldPrefix)
		case len(given) > 1:
			return q, fmt.Errorf("the query must hold %.60s once, not %d times", name, len(given))
		case p.pattern != nil && !p.pattern.MatchString(value):
			return q, fmt.Errorf("%s must be %s, not %.60q", name, p.are, value)
		case p.record != nil:
			q.records = append(q.records, condition[Record]{p.record, value})
		case p.channel != nil:
			q.channels = append(q.channels, condition[notification.Channel]{p.channel, value})
		case name == "at_least":
			q.atLeast, _ = strconv.Atoi(value) // is a number
		case name == "limit":
			q.limit, _ = strconv.Atoi(value) // is one, too
		default:
			if q.Wait, err = time.ParseDuration(value); err != nil || q.Wait < 0 {
				return q, fmt.Errorf("wait must be a duration such as 30s, not %.60q", value)
			}
		}
	}
	priority := values.Get("priority")
	switch {
	case values.Has("wait") && q.atLeast == 0:
		err = errors.New("wait needs at_least")
	case values.Has("priority") && !q.requests && notification.CheckPriority(priority) != nil:
		err = notification.CheckPriority(priority) // a notification has no other
	}
	return q, err
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
	enough = s.Count >= q.atLeast
	if q.records == nil && q.channels == nil { // what was dropped has matched, too
		enough = s.Count+s.Dropped >= q.atLeast
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
