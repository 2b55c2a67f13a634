package ledger

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"terraform-provider-notification/internal/emulator/notification"
)

// fieldPrefix precedes the name of a field in a query.
const fieldPrefix = "fields."

// queryNames are what a query may hold beside fields.
var queryNames = []string{
	"priority", "system", "notification_id", "idempotency_key",
	"type", "recipient", "subject", "content_type", "template_id",
}

// Query asks for notifications: each of its members must be equal. Those of a channel must be so in
// the same channel, and an empty one asks for a channel without it.
type Query map[string]string

// Selection is the notifications that a query asks for.
type Selection struct {
	Version     int          `json:"version"` // as in Ledger
	Count       int          `json:"count"`   // of the submissions here
	Dropped     int          `json:"dropped"` // notifications beyond the limit, of which nothing is known
	Submissions []Submission `json:"submissions"`
}

// ParseQuery reads the query of a URL. The error names what could never match anything.
func ParseQuery(rawQuery string) (Query, error) {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, fmt.Errorf("the query is malformed: %w", err)
	}
	q := make(Query, len(values))
	for name, given := range values {
		field := strings.HasPrefix(name, fieldPrefix)
		switch {
		case !field && !slices.Contains(queryNames, name):
			return nil, fmt.Errorf("the query must not hold a parameter %q, only %s and %sNAME",
				name, strings.Join(queryNames, ", "), fieldPrefix)
		case len(given) > 1:
			return nil, fmt.Errorf("the query must hold %s once, not %d times", name, len(given))
		case name == "priority":
			err = notification.CheckPriority(given[0])
		}
		q[name] = given[0]
	}
	return q, err
}

// Select returns what the query asks for, in order of arrival.
func (b *Book) Select(q Query) Selection {
	s := Selection{Version: Version, Dropped: b.Counts.Notifications, Submissions: []Submission{}}
	for _, kept := range b.Records {
		if kept.Submission == nil {
			continue
		}
		s.Dropped--
		if q.matches(kept.Submission) {
			s.Submissions = append(s.Submissions, *kept.Submission)
		}
	}
	s.Count = len(s.Submissions)
	return s
}

func (q Query) matches(s *Submission) bool {
	return q.is("priority", s.Priority) && q.is("system", s.System) &&
		q.is("notification_id", s.NotificationID) && q.is("idempotency_key", s.IdempotencyKey) &&
		slices.ContainsFunc(s.Channels, q.matchesChannel)
}

func (q Query) matchesChannel(c notification.Channel) bool {
	for name, want := range q {
		if field, ok := strings.CutPrefix(name, fieldPrefix); ok && c.Fields[field] != want {
			return false
		}
	}
	return q.is("type", c.Type) && q.is("recipient", c.Recipient...) && q.is("subject", c.Subject) &&
		q.is("content_type", c.ContentType) && q.is("template_id", c.TemplateID)
}

// is says whether one of the values is what the query asks for; none is the empty one.
func (q Query) is(name string, values ...string) bool {
	want, given := q[name]
	return !given || slices.Contains(values, want) || len(values) == 0 && want == ""
}
