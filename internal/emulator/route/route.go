// Package route maps the path of a request to an endpoint of the service or the emulator.
package route

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Target is an endpoint of the service, the emulator itself, or an unknown path. The ledger and the
// syntax of faults use the same names.
type Target string

// All targets, the endpoints in the order in which a client uses them.
const (
	Token      Target = "token"
	Submission Target = "submission"
	Studies    Target = "studies"
	Other      Target = "other" // unknown paths
	Admin      Target = "admin"
)

// Table maps canonical paths to endpoints. An [http.ServeMux] would redirect paths with doubled
// slashes, dots or a missing trailing slash, and bypass the ledger and the faults.
type Table map[string]route

// route is an endpoint and the system of its path; empty if the path has none.
type route struct {
	to     Target
	system string
}

// New returns the table for the <system> segments, unescaped, and the endpoints' paths below the
// root, escaped as in a URL. An empty path means the default path, for each system or without one.
func New(systems []string, notificationsPath, studiesPath string) (Table, error) {
	t := Table{"oauth2/token": {to: Token}}
	err := errors.Join(
		t.add(Submission, "notifications", notificationsPath, systems),
		t.add(Studies, "studies", studiesPath, systems))
	return t, err
}

func (t Table) add(to Target, endpoint, path string, systems []string) error {
	if path != "" || len(systems) == 0 {
		systems = []string{""}
	}
	var problems []error
	for _, system := range systems {
		key, err := canonical(cmp.Or(path, url.PathEscape(system)+"/"+endpoint+"/v1"))
		if err != nil {
			return fmt.Errorf("the %s path %q %w", endpoint, path, err)
		}
		if isAdmin(key) {
			problems = append(problems, fmt.Errorf("the %s path must not be below /_emulator", endpoint))
		}
		if _, taken := t[key]; taken {
			problems = append(problems, fmt.Errorf(
				"the %s path must differ from that of every other endpoint", endpoint))
		}
		t[key] = route{to, system}
	}
	return errors.Join(problems...)
}

// Find returns the target of a request to u, and its system. Paths must match exactly, including
// trailing and doubled slashes.
func (t Table) Find(u *url.URL) (to Target, system string) {
	key, _ := canonical(u.EscapedPath()) // cannot fail: the path is escaped
	if isAdmin(key) {
		return Admin, ""
	}
	found := t[key]
	return cmp.Or(found.to, Other), found.system
}

func isAdmin(key string) bool {
	return key == "_emulator" || strings.HasPrefix(key, "_emulator/")
}

// canonical returns an escaped path without its leading slash and with canonical escapes: a%2Fb
// stays one segment, and a%3Ab equals a:b.
func canonical(path string) (string, error) {
	if strings.ContainsAny(path, "?#") {
		return "", errors.New("must not hold a query or a fragment")
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, segment := range segments {
		unescaped, err := url.PathUnescape(segment)
		if err != nil {
			return "", fmt.Errorf("is not escaped as in a URL: %w", err)
		}
		segments[i] = url.PathEscape(unescaped)
	}
	return strings.Join(segments, "/"), nil
}
