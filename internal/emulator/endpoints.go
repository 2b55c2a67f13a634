package emulator

import (
	_ "embed"
	"net/http"
	"strings"

	"terraform-provider-notification/internal/emulator/fault"
)

// Endpoint is an endpoint of the service. Paths, faults, counters and lookups of the emulator, and
// the flags, variables and summary of its command, follow from the list that [Endpoints] returns.
type Endpoint struct {
	Name string // the target of faults, and of requests in the ledger
	Noun string // one request, in a summary; empty: none
	Path string // below the root or, with a Flag, below each system; see [Config.Paths]
	Flag string // replaces Path; empty: the path is fixed

	// Catalogue is what a lookup finds unless [Config.Catalogues] replaces it: a JSON array. Nil: the
	// endpoint is no lookup.
	Catalogue []byte

	Counter func(*Ledger) *int // of its requests

	method     string // empty: any
	keepsQuery bool   // in the ledger
	respond    func(*Emulator, *call) *response
}

// studies holds examples that are hard to decode: an integer beyond 2^53, a decimal without an
// exact binary fraction, null, nesting, and a name that must be escaped in a query.
//
//go:embed studies.json
var studies []byte

// The endpoints with requests of a format of their own.
const (
	tokenEndpoint      = "token"
	submissionEndpoint = "submission"
)

// Endpoints returns all endpoints, in the order in which a client uses them.
func Endpoints() []Endpoint {
	return []Endpoint{
		{
			Name: tokenEndpoint, Noun: "token request", Path: "oauth2/token",
			Counter: func(l *Ledger) *int { return &l.TokenRequests },
			method:  http.MethodPost, respond: (*Emulator).grant,
		},
		{
			Name: submissionEndpoint, Path: "notifications/v1", Flag: "notifications-path",
			Counter: func(l *Ledger) *int { return &l.SubmissionRequests },
			method:  http.MethodPost, keepsQuery: true, respond: (*Emulator).submit,
		},
		{
			Name: "studies", Noun: "studies lookup", Path: "studies/v1", Flag: "studies-path",
			Catalogue: studies,
			Counter:   func(l *Ledger) *int { return &l.StudyRequests },
			method:    http.MethodGet, keepsQuery: true, respond: (*Emulator).lookUp,
		},
	}
}

// Variable returns the name of the environment variable that tells a client the path.
func (e Endpoint) Variable() string {
	return "NOTIFICATION_" + strings.ToUpper(strings.ReplaceAll(e.Flag, "-", "_"))
}

// other is the endpoint of all unknown paths.
var other = Endpoint{
	Name:    "other",
	Counter: func(l *Ledger) *int { return &l.OtherRequests },
	respond: func(_ *Emulator, c *call) *response {
		return problem(http.StatusNotFound, "there is nothing at "+c.record.Path)
	},
}

// targets returns the names of the endpoints, all of which can have faults.
func targets() (names []string) {
	for _, endpoint := range Endpoints() {
		names = append(names, endpoint.Name)
	}
	return names
}

// FaultUsage returns the help on faults: lines of plain text, each with a newline.
func FaultUsage() string { return fault.Usage(targets()) }
