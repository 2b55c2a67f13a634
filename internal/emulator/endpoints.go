package emulator

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/notification/terraform-provider-notification/internal/emulator/fault"
)

// endpoint is an endpoint of the service. Routes, targets of faults, the counts of a summary and
// the choices of the web UI follow from the list endpoints.
type endpoint struct {
	name    string // the target of faults, and of requests in the ledger
	method  string // empty: any
	path    string // escaped
	systems bool   // any one segment before the path is a <system>
	respond func(*Emulator, *call) *response
	counter func(*Ledger) *int  // of its requests
	set     func(Config) string // the path in the configuration, which may be empty
}

const tokenEndpoint, submissionEndpoint = "token", "submission"

// endpoints lists all endpoints, in the order in which a client uses them.
var endpoints = []endpoint{
	{tokenEndpoint, http.MethodPost, "/oauth2/token", false,
		(*Emulator).grant, func(l *Ledger) *int { return &l.TokenRequests },
		func(c Config) string { return c.TokenPath }},
	{submissionEndpoint, http.MethodPost, "/notifications/v1", true,
		(*Emulator).submit, func(l *Ledger) *int { return &l.SubmissionRequests },
		func(c Config) string { return c.NotificationsPath }},
	{"studies", http.MethodGet, "/studies/v1", true,
		(*Emulator).lookUp, func(l *Ledger) *int { return &l.StudyRequests },
		func(c Config) string { return c.StudiesPath }},
}

// other is the endpoint of all unknown paths.
var other = endpoint{
	name:    "other",
	counter: func(l *Ledger) *int { return &l.OtherRequests },
	respond: func(_ *Emulator, c *call) *response {
		return problem(http.StatusNotFound, "there is nothing at "+c.record.Path+
			"; -token-path, -notifications-path and -studies-path replace paths")
	},
}

// endpoints returns the endpoints with the paths of the configuration, which have no system.
func (c Config) endpoints() []endpoint {
	all := slices.Clone(endpoints)
	for i := range all {
		if path := all[i].set(c); path != "" {
			all[i].path, all[i].systems = "/"+strings.TrimPrefix(path, "/"), false
		}
	}
	return all
}

// route returns the endpoint at an escaped path, and the system, which is empty if the path has
// none. An [http.ServeMux] would redirect paths with doubled slashes or dots, and bypass the ledger
// and the faults.
func (e *Emulator) route(path string) (to endpoint, system string) {
	for _, to := range e.endpoints {
		if to.path == path {
			return to, ""
		}
	}
	segment, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, to := range e.endpoints {
		if to.systems && to.path == "/"+rest && segment != "" {
			system, _ = url.PathUnescape(segment) // cannot fail: the path is escaped
			return to, system
		}
	}
	return other, ""
}

// isControl reports whether a path is that of a request to the emulator itself.
func isControl(path string) bool {
	return strings.HasPrefix(path+"/", "/_emulator/")
}

// RequestCounts returns how many requests each endpoint got, as in "2 token requests", without
// those that got none.
func RequestCounts(l Ledger) (counts []string) {
	for _, to := range endpoints {
		switch n := *to.counter(&l); n {
		case 0:
		case 1:
			counts = append(counts, "1 "+to.name+" request")
		default:
			counts = append(counts, fmt.Sprintf("%d %s requests", n, to.name))
		}
	}
	return counts
}

// targets returns the names of the endpoints, all of which can have faults.
func targets() (names []string) {
	for _, to := range endpoints {
		names = append(names, to.name)
	}
	return names
}

// FaultUsage returns the help on faults: lines of plain text, each with a newline.
func FaultUsage() string { return fault.Usage(targets()) }
