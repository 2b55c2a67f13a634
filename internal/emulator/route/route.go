// Package route tells by the path of a request what it is for.
package route

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
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

// Table holds where each path leads, by its canonical form. It is no [http.ServeMux], which
// redirects doubled slashes, dots and what lacks only a trailing slash, out of reach of ledger and
// faults.
type Table map[string]route

// route is an endpoint, and the system of its path; empty where that is the same for all of them.
type route struct {
	to     Target
	system string
}

// New takes the <system> segments, not escaped, and the paths of the endpoints below the root,
// escaped as in a URL. Of an empty path it makes the default, for each system or without one.
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

// Find returns the target of a request to u, and its system: the paths must match exactly, trailing
// and doubled slashes included.
func (t Table) Find(u *url.URL) (to Target, system string) {
	key, _ := canonical(u.EscapedPath()) // is escaped
	if isAdmin(key) {
		return Admin, ""
	}
	found := t[key]
	return cmp.Or(found.to, Other), found.system
}

func isAdmin(key string) bool {
	return key == "_emulator" || strings.HasPrefix(key, "_emulator/")
}

// canonical returns an escaped path without its leading slash, with each segment in one spelling:
// a%2Fb is one segment, and a%3Ab and a:b are the same one.
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
