package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// route is an endpoint, and the system of its path; empty if the path has none.
type route struct {
	endpoint Endpoint
	system   string
}

// routes returns the canonical paths of all endpoints. An [http.ServeMux] would redirect paths with
// doubled slashes, dots or a missing trailing slash, and bypass the ledger and the faults.
func (c Config) routes() (map[string]route, error) {
	routes := make(map[string]route)
	var problems []error
	for _, endpoint := range Endpoints() {
		path, systems := c.Paths[endpoint.Name], c.Systems
		if path != "" || endpoint.Flag == "" || len(systems) == 0 {
			systems = []string{""}
		}
		for _, system := range systems {
			key, err := canonical(cmp.Or(path, url.PathEscape(system)+"/"+endpoint.Path))
			_, taken := routes[key]
			switch {
			case err != nil:
				err = fmt.Errorf("%q %w", path, err)
			case isAdmin(key):
				err = errors.New("must not be below /_emulator")
			case taken:
				err = errors.New("must differ from that of every other endpoint")
			}
			if err != nil {
				label := strings.ReplaceAll(endpoint.Flag, "-", " ")
				problems = append(problems, fmt.Errorf("the %s %w", label, err))
			}
			routes[key] = route{endpoint, system}
		}
	}
	return routes, errors.Join(problems...)
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
