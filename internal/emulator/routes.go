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
	toToken      target = "token"
	toSubmission target = "submission"
	toStudies    target = "studies"
	toOther      target = "other"
	toAdmin      target = "admin"
)

// faultTargets are the endpoints that faults can act on, in the order in which
// a client meets them.
func faultTargets() []target {
	return []target{toToken, toSubmission, toStudies}
}

// routes tells the endpoints apart by the segments of their paths, unescaped:
// a%2Fb is one segment, and a%3Ab and a:b are the same one.
type routes struct {
	token, submission, studies []string
}

func newRoutes(config Config) (routes, error) {
	system := []string{}
	if config.System != "" {
		system = append(system, config.System)
	}
	r := routes{
		token:      []string{"oauth2", "token"},
		submission: slices.Concat(system, []string{"notifications", "v1"}),
		studies:    slices.Concat(system, []string{"studies", "v1"}),
	}
	var problems []error
	override := func(what, path string, route *[]string) {
		if path != "" {
			segments, err := splitPath(path)
			if err != nil {
				problems = append(problems, fmt.Errorf("the %s path %q %w", what, path, err))
				return
			}
			*route = segments
		}
		if (*route)[0] == "_emulator" || slices.Equal(*route, r.token) {
			problems = append(problems, fmt.Errorf("the %s path must be neither /oauth2/token nor below /_emulator", what))
		}
	}
	override("notifications", config.NotificationsPath, &r.submission)
	override("studies", config.StudiesPath, &r.studies)
	if slices.Equal(r.submission, r.studies) {
		problems = append(problems, errors.New("the notifications path and the studies path must differ"))
	}
	return r, errors.Join(problems...)
}

// target is the endpoint that u belongs to: the paths must match exactly,
// trailing and doubled slashes included.
func (r routes) target(u *url.URL) target {
	segments, err := splitPath(u.EscapedPath())
	switch {
	case err != nil:
		return toOther
	case segments[0] == "_emulator":
		return toAdmin
	case slices.Equal(segments, r.token):
		return toToken
	case slices.Equal(segments, r.submission):
		return toSubmission
	case slices.Equal(segments, r.studies):
		return toStudies
	}
	return toOther
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
