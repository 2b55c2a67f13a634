package ledger

import (
	"cmp"
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

// parameters are what a query may hold beside fields: what each is about, if not about what is in a
// notification, and where not every value will do, a pattern of them and the same for people.
var parameters = map[string]struct{ of, pattern, are string }{
	"kind": {
		"request", "token|submission|studies|other", "token, submission, studies or other",
	},
	"status":   {"request", "0|[2-5][0-9][0-9]", "0 (no answer) or from 200 to 599"},
	"trace_id": {"request", "|[0-9a-f]{32}", "32 hexadecimal digits in lower case"},
	"at_least": {"answer", "[1-9][0-9]{0,8}", "a whole number, 1 or more"},
	"limit":    {"answer", "[0-9]{1,9}", "a whole number, 0 or more"},
	"wait":     {"answer", "([0-9.]+(ms|s|m|h))+", "a duration such as 30s"},
	"priority": {"", "HIGH|NORMAL|BATCH", "HIGH, NORMAL or BATCH"},
	"system":   {}, "notification_id": {}, "idempotency_key": {}, "type": {}, "recipient": {},
	"subject": {}, "content_type": {}, "template_id": {},
}

// Query asks for notifications; or for requests, where it holds a parameter of theirs. Each must be
// equal. Those of a channel must be so in the same channel, and an empty one asks for a channel
// without it. What a rejected submission held counts as far as it can be read.
type Query struct {
	equal    map[string]string
	requests bool // it asks for them
	content  bool // it asks for what is in a notification
	limit    int  // how many of the newest are in the answer

	AtLeast int           // how many must match
	Wait    time.Duration // for that many
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
	q := Query{equal: make(map[string]string, len(values))}
	for name, given := range values {
		p, known := parameters[name]
		q.requests = q.requests || p.of == "request"
		q.content = q.content || p.of == ""
		q.equal[name] = given[0]
		switch {
		case !known && !strings.HasPrefix(name, fieldPrefix):
			return q, fmt.Errorf("the query must not hold a parameter %q, only %s and %sNAME", name,
				strings.Join(slices.Sorted(maps.Keys(parameters)), ", "), fieldPrefix)
		case len(given) > 1:
			return q, fmt.Errorf("the query must hold %s once, not %d times", name, len(given))
		case p.pattern != "" && !regexp.MustCompile("^("+p.pattern+")$").MatchString(given[0]):
			return q, fmt.Errorf("%s must be %s, not %q", name, p.are, given[0])
		}
	}
	q.AtLeast, _ = strconv.Atoi(q.equal["at_least"]) // is a number
	q.limit, _ = strconv.Atoi(cmp.Or(q.equal["limit"], strconv.Itoa(math.MaxInt)))
	if q.Wait, err = time.ParseDuration(cmp.Or(q.equal["wait"], "0s")); err == nil &&
		values.Has("wait") && q.AtLeast == 0 {
		err = errors.New("wait needs at_least")
	}
	return q, err
}

// Select returns what the query asks for.
func (b *Book) Select(q Query) Selection {
	s := Selection{Version: Version, Dropped: b.Counts.Notifications, Submissions: []Submission{}}
	if q.requests {
		s.Dropped, s.Requests = b.Entered-len(b.Records), []Request{}
	}
	for _, kept := range slices.Backward(b.Records) {
		accepted := kept.Submission != nil
		if accepted && !q.requests {
			s.Dropped--
		}
		if !accepted && !q.requests || !q.matches(kept) {
			continue
		}
		if s.Count++; s.Count > q.limit {
			continue
		}
		if accepted {
			s.Submissions = append(s.Submissions, *kept.Submission)
		}
		if q.requests {
			s.Requests = append(s.Requests, kept.Request)
		}
	}
	slices.Reverse(s.Submissions)
	slices.Reverse(s.Requests)
	return s
}

func (q Query) matches(r *Record) bool {
	if !q.is("kind", r.Target) || !q.is("status", strconv.Itoa(r.Status)) ||
		!q.is("trace_id", r.TraceID) {
		return false
	}
	n := r.Content()
	return !q.content || q.is("priority", n.Priority) && q.is("system", r.System) &&
		q.is("notification_id", r.NotificationID) && q.is("idempotency_key", r.IdempotencyKey) &&
		slices.ContainsFunc(n.Channels, q.matchesChannel)
}

func (q Query) matchesChannel(c notification.Channel) bool {
	for name, want := range q.equal {
		if field, ok := strings.CutPrefix(name, fieldPrefix); ok && c.Fields[field] != want {
			return false
		}
	}
	return q.is("type", c.Type) && q.is("recipient", c.Recipient...) && q.is("subject", c.Subject) &&
		q.is("content_type", c.ContentType) && q.is("template_id", c.TemplateID)
}

// is says whether one of the values is what the query asks for; none is the empty one.
func (q Query) is(name string, values ...string) bool {
	want, given := q.equal[name]
	return !given || slices.Contains(values, want) || len(values) == 0 && want == ""
}
