package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/notification"
)

type (
	// Faults maps a target to the faults that its next requests meet; [fault.Usage] explains them.
	Faults = fault.Faults
	// Ledger is what the emulator has received.
	Ledger = ledger.Ledger
	// Submission is a notification that was accepted.
	Submission = ledger.Submission
	// Channel is one channel of a notification.
	Channel = notification.Channel
	// Request is one request to the service, without credentials.
	Request = ledger.Request
)

// Config says what the emulated service knows and how it behaves. Only the credentials are
// required.
type Config struct {
	ClientID, ClientSecret string // the only credentials that get a token

	// Scopes are those that can be granted; a request for another one gets invalid_scope.
	// Empty: whatever is asked for is granted.
	Scopes []string

	// Systems are the <system> segments of the API's paths, not yet escaped: each has endpoints of its
	// own. Empty: the paths have no such segment.
	Systems []string

	// NotificationsPath and StudiesPath are the paths of the endpoints below the root, escaped as in a
	// URL, with or without the leading slash. Empty: [/system]/notifications/v1 and
	// [/system]/studies/v1.
	NotificationsPath, StudiesPath string

	// TokenLifetime is how long a token is good for. The response's expires_in is rounded up to whole
	// seconds, the token expires on time: a lifetime with a fraction gives tokens that die before the
	// client expects it. Zero: tokens do not expire and responses have no expires_in.
	TokenLifetime time.Duration

	// Studies is the catalogue: JSON objects that each have a string member "name". They are returned
	// verbatim. Nil: a small catalogue of examples.
	Studies []json.RawMessage

	Faults Faults // are those to begin with

	// IdempotencyKeyHeader names the header in which submissions may carry an idempotency key. One
	// whose key was accepted before gets the response that the first one deserved, and is no new
	// notification: 422 where the body differs. Keys of requests that were rejected are not kept, the
	// others until [Emulator.Reset]. Empty: keys are not recognised.
	IdempotencyKeyHeader string

	// AllowedHosts are further names under which page and control requests are served, without a
	// port: a name with a dot is otherwise refused, since a page of another site could have it.
	AllowedHosts []string

	Version string // is what the health check says

	// Log gets each request to the service when its outcome is known, just before the response goes
	// out. It may be called several times at once. Nil: nothing does.
	Log func(Request)
}

var (
	// headerName is a token of RFC 9110 section 5.6.2, or empty.
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]*$")
	// hostName is a name as DNS has them.
	hostName = regexp.MustCompile("^[0-9A-Za-z_-]+([.][0-9A-Za-z_-]+)*$")
	// takenHeader has a meaning of its own in submissions.
	takenHeader = regexp.MustCompile(`(?i)^(authorization|content-.*|cookie|host|traceparent)$`)
)

// check returns every member that is missing or wrong by itself.
func (c Config) check() error {
	var problems []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	must(c.ClientID != "", "the client ID must not be empty")
	must(c.ClientSecret != "", "the client secret must not be empty")
	for _, scope := range c.Scopes {
		must(isScope(scope),
			"scope %q is not made of visible ASCII characters without quotes and backslashes", scope)
	}
	for _, host := range c.AllowedHosts {
		must(hostName.MatchString(host), "the allowed host %q must be a name, without a port", host)
	}
	key := c.IdempotencyKeyHeader
	must(headerName.MatchString(key) && !takenHeader.MatchString(key),
		"%q cannot be the name of the idempotency key header", key)
	must(c.TokenLifetime >= 0, "the token lifetime %s must not be negative", c.TokenLifetime)
	return errors.Join(problems...)
}

// isScope says whether text is a scope-token of RFC 6749 section 3.3.
func isScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '\\'
	})
}
