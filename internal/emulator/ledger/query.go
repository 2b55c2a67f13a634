package ledger

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"terraform-provider-notification/internal/emulator/notification"
)

// Query maps members of requests to the values that they must have. All members of channels must
// match in the same channel. An empty value matches a missing member. Rejected submissions match by
// the members that can be decoded.
type Query map[string]string

// Parameters returns the names of the parameters that a query may hold.
func Parameters() []string {
	return slices.Concat(slices.Sorted(maps.Keys(new(Record).members())),
		notification.ChannelMembers(".NAME"))
}

// ParseQuery parses the query of a URL.
func ParseQuery(rawQuery string) (Query, error) {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, fmt.Errorf("the query is malformed: %w", err)
	}
	q := make(Query)
	for name, given := range values {
		known := name
		if member, _, isField := strings.Cut(name, "."); isField {
			known = member + ".NAME"
		}
		if !slices.Contains(Parameters(), known) {
			return nil, fmt.Errorf("the query must not hold a parameter %.60q, only %s", name,
				strings.Join(Parameters(), ", "))
		}
		if len(given) > 1 {
			return nil, fmt.Errorf("the query must hold %.60s once, not %d times", name, len(given))
		}
		q[name] = given[0]
	}
	return q, nil
}

// countsRequests reports whether the query selects requests: by a member that notifications lack.
func (q Query) countsRequests() bool {
	return slices.ContainsFunc([]string{"kind", "status", "trace_id"}, func(name string) bool {
		_, asked := q[name]
		return asked
	})
}

// members returns the values that a query may select by, except the members of channels.
func (r *Record) members() map[string]string {
	return map[string]string{
		"kind":            r.Target,
		"status":          strconv.Itoa(r.Status),
		"trace_id":        r.TraceID,
		"priority":        r.content.Priority,
		"system":          r.System,
		"notification_id": r.NotificationID,
		"idempotency_key": r.IdempotencyKey,
	}
}

func (q Query) matches(r *Record) bool {
	ofRequest, ofChannel := r.members(), make(Query)
	for name, want := range q {
		value, found := ofRequest[name]
		switch {
		case !found:
			ofChannel[name] = want
		case value != want:
			return false
		}
	}
	hasAll := func(c notification.Channel) bool {
		for name, want := range ofChannel {
			if !c.Has(name, want) {
				return false
			}
		}
		return true
	}
	return len(ofChannel) == 0 || slices.ContainsFunc(r.content.Channels, hasAll)
}
