// Package route tells by the path of a request what it is for.
package route

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Target is what a request is for: an endpoint of the service, the emulator itself, or nothing that
// is there. The ledger and the text form of faults use the same names.
type Target string

// All targets. Of the endpoints the first three are in the order in which a client meets them.
const (
	Token      Target = "token"
	Submission Target = "submission"
	Studies    Target = "studies"
	Other      Target = "other" // paths that the service does not have
	Admin      Target = "admin"
)

// Table holds the paths that lead to the endpoints.
type Table []route

// route is the path of an endpoint for one system, by its segments, unescaped: a%2Fb is one
// segment, and a%3Ab and a:b are the same one.
type route struct {
	to       Target
	system   string // empty where the path is the same for all of them
	segments []string
}

// New takes the <system> segments, not escaped, and the paths of the endpoints below the root,
// escaped as in a URL. Of an empty path it makes the default, for each system or without one.
func New(systems []string, notificationsPath, studiesPath string) (Table, error) {
	t := Table{{to: Token, segments: []string{"oauth2", "token"}}}
	err := errors.Join(
		t.add(Submission, "notifications", notificationsPath, systems),
		t.add(Studies, "studies", studiesPath, systems))
	return t, err
}

// add adds the routes to an endpoint: the path, or else one for each system.
func (t *Table) add(to Target, endpoint, path string, systems []string) error {
	added := Table{{to: to, segments: []string{endpoint, "v1"}}}
	if path != "" {
		segments, err := splitPath(path)
		if err != nil {
			return fmt.Errorf("the %s path %q %w", endpoint, path, err)
		}
		added[0].segments = segments
	} else if len(systems) > 0 {
		added = nil
		for _, system := range systems {
			added = append(added, route{to, system, []string{system, endpoint, "v1"}})
		}
	}
	var problems []error
	for _, a := range added {
		if a.segments[0] == "_emulator" {
			problems = append(problems, fmt.Errorf("the %s path must not be below /_emulator", endpoint))
		}
		if slices.ContainsFunc(*t, func(b route) bool { return slices.Equal(a.segments, b.segments) }) {
			problems = append(problems, fmt.Errorf(
				"the %s path must differ from that of every other endpoint", endpoint))
		}
		*t = append(*t, a)
	}
	return errors.Join(problems...)
}

// Find returns the target of a request to u, and its system: the paths must match exactly, trailing
// and doubled slashes included.
func (t Table) Find(u *url.URL) (to Target, system string) {
	segments, err := splitPath(u.EscapedPath())
	i := slices.IndexFunc(t, func(b route) bool { return slices.Equal(segments, b.segments) })
	switch {
	case err == nil && segments[0] == "_emulator":
		return Admin, ""
	case err == nil && i >= 0:
		return t[i].to, t[i].system
	}
	return Other, ""
}

// splitPath returns the unescaped segments of an escaped path, at least one.
func splitPath(path string) ([]string, error) {
	if strings.ContainsAny(path, "?#") {
		return nil, errors.New("must not hold a query or a fragment")
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, segment := range segments {
		unescaped, err := url.PathUnescape(segment)
		if err != nil {
			return nil, fmt.Errorf("is not escaped as in a URL: %w", err)
		}
		segments[i] = unescaped
	}
	return segments, nil
}
