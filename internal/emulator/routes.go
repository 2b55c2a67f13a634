package emulator

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// target names one endpoint, as the text form of faults does.
type target string

const (
	targetToken      target = "token"
	targetSubmission target = "submission"
	targetStudies    target = "studies"
	targetOther      target = "other"
	targetAdmin      target = "admin"
)

// faultTargets are the endpoints that faults can act on, in the order in which a client meets them.
var faultTargets = []target{targetToken, targetSubmission, targetStudies}

// route is an endpoint of one system, by the segments of its path, unescaped: a%2Fb is one segment,
// and a%3Ab and a:b are the same one.
type route struct {
	to       target
	system   string // empty where the path is the same for all of them
	segments []string
}

type routes []route

func newRoutes(config Config) (routes, error) {
	r := routes{{to: targetToken, segments: []string{"oauth2", "token"}}}
	problems := r.add(nil, targetSubmission, config.NotificationsPath, config.Systems, "notifications")
	problems = r.add(problems, targetStudies, config.StudiesPath, config.Systems, "studies")
	return r, errors.Join(problems...)
}

// add adds the routes to an endpoint: the path, or else one for each system.
func (r *routes) add(
	problems []error, to target, path string, systems []string, endpoint string,
) []error {
	added := routes{{to: to, segments: []string{endpoint, "v1"}}}
	if path != "" {
		segments, err := splitPath(path)
		if err != nil {
			return append(problems, fmt.Errorf("the %s path %q %w", endpoint, path, err))
		}
		added[0].segments = segments
	} else if len(systems) > 0 {
		added = nil
		for _, system := range systems {
			added = append(added, route{to, system, []string{system, endpoint, "v1"}})
		}
	}
	for _, a := range added {
		if a.segments[0] == "_emulator" {
			problems = append(problems, fmt.Errorf("the %s path must not be below /_emulator", endpoint))
		}
		if slices.ContainsFunc(*r, func(b route) bool { return slices.Equal(a.segments, b.segments) }) {
			problems = append(problems, fmt.Errorf(
				"the %s path must differ from that of every other endpoint", endpoint))
		}
		*r = append(*r, a)
	}
	return problems
}

// find returns the endpoint that u belongs to, and its system: the paths must match exactly,
// trailing and doubled slashes included.
func (r routes) find(u *url.URL) (target, string) {
	segments, err := splitPath(u.EscapedPath())
	i := slices.IndexFunc(r, func(b route) bool { return slices.Equal(segments, b.segments) })
	switch {
	case err == nil && segments[0] == "_emulator":
		return targetAdmin, ""
	case err == nil && i >= 0:
		return r[i].to, r[i].system
	}
	return targetOther, ""
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
