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

// Query asks for the requests whose members have these values. Those of a channel are members of
// one and the same channel, and an empty value is that of a missing member. What a rejected
// submission held counts as far as it can be read.
type Query map[string]string

// Parameters names what a query may hold.
func Parameters() []string {
	return slices.Concat(slices.Sorted(maps.Keys(new(Record).members())),
		notification.ChannelMembers(".NAME"))
}

// ParseQuery reads the query of a URL.
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

// countsRequests says whether the count is that of requests: of what notifications do not have.
func (q Query) countsRequests() bool {
	return slices.ContainsFunc([]string{"kind", "status", "trace_id"}, func(name string) bool {
		_, asked := q[name]
		return asked
	})
}

// members are what a query may ask of a request, besides the members of its channels.
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
