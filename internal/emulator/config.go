package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Config says what the emulated service knows and how it behaves. Only the credentials are
// required.
type Config struct {
	ClientID, ClientSecret string // the only credentials that get a token

	// Scopes are those that can be granted; a request for another one is answered with invalid_scope.
	// Empty: whatever is asked for is granted.
	Scopes []string

	// Systems are the <system> segments of the API's paths, not yet escaped: each has endpoints of its
	// own. Empty: the paths have no such segment.
	Systems []string

	// NotificationsPath and StudiesPath are the paths of the endpoints below the root, escaped as in a
	// URL, with or without the leading slash. Empty: [/system]/notifications/v1 and
	// [/system]/studies/v1.
	NotificationsPath, StudiesPath string

	// TokenLifetime is how long a token is good for. The answer's expires_in is rounded up to whole
	// seconds, the token expires on time: a lifetime with a fraction gives tokens that die before the
	// client expects it. Zero: tokens do not expire and answers have no expires_in.
	TokenLifetime time.Duration

	// Studies is the catalogue: JSON objects that each have a string member "name". They are returned
	// verbatim. Nil: a small catalogue of examples.
	Studies []json.RawMessage

	Latency time.Duration // is added to every answer of the service
	Faults  Faults        // are those to begin with

	// LedgerLimit bounds what the ledger takes of memory, in bytes, as far as that can be
	// estimated: beyond it the oldest entries go. Zero: 64 MiB.
	LedgerLimit int

	// Log gets each request to the service when its outcome is known, just before the answer goes out.
	// It may be called several times at once. Nil: nothing does.
	Log func(Request)
}

// New returns an emulator that has seen no request. The error names every member of the
// configuration that is missing or wrong.
func New(config Config) (*Emulator, error) {
	var problems []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	must(config.ClientID != "", "the client ID must not be empty")
	must(config.ClientSecret != "", "the client secret must not be empty")
	for _, scope := range config.Scopes {
		must(isScope(scope), "scope %q is not made of visible ASCII characters without quotes and backslashes", scope)
	}
	must(config.TokenLifetime >= 0, "the token lifetime %s must not be negative", config.TokenLifetime)
	must(config.Latency >= 0, "the latency %s must not be negative", config.Latency)
	must(config.LedgerLimit >= 0, "the limit of the ledger must not be negative")
	routes, err := newRoutes(config)
	problems = append(problems, err)
	studies, err := newCatalogue(config.Studies)
	problems = append(problems, err)
	faults, err := config.Faults.parse()
	problems = append(problems, err)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}

	config.LedgerLimit = cmp.Or(config.LedgerLimit, defaultLedgerLimit)
	config.Scopes = slices.Clone(config.Scopes)
	e := &Emulator{
		config:    config,
		routes:    routes,
		studies:   studies,
		now:       time.Now,
		drainTime: defaultDrainTime,
		closed:    make(chan struct{}),
		book:      newBook(),
		faults:    faults,
		tokens:    make(map[string]token),
		changed:   make(chan struct{}),
	}
	e.admin = e.newAdmin()
	return e, nil
}
