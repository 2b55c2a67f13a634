package emulator

import (
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
	// Faults maps a target to the sequence of faults for its next requests; see [fault.Usage].
	Faults = fault.Faults
	// Ledger is a snapshot of the requests that the emulator received.
	Ledger = ledger.Ledger
	// Submission is an accepted notification.
	Submission = ledger.Submission
	// Channel is one channel of a notification.
	Channel = notification.Channel
	// Request is one request to the service, without credentials.
	Request = ledger.Request
)

// Config configures an [Emulator]. Only the credentials are required.
type Config struct {
	ClientID, ClientSecret string // the only credentials that get a token

	// Scopes are the scopes that a token request may ask for; any other gets invalid_scope.
	// Empty: any scope is granted.
	Scopes []string

	// Systems are the <system> segments of the API's paths, unescaped. Each has its own endpoints.
	// Empty: the paths have no such segment.
	Systems []string

	// Paths replaces the paths of endpoints, by name. They are below the root, without the system,
	// and escaped as in a URL, with or without the leading slash. Empty: the default.
	Paths map[string]string

	// TokenLifetime is how long a token is valid. Only expires_in is rounded up to whole seconds, so a
	// lifetime with a fraction makes tokens expire before the client expects it. Zero: tokens never
	// expire, and responses have no expires_in.
	TokenLifetime time.Duration

	// Catalogues replaces the catalogues of lookups, by the endpoint's name: JSON arrays of objects,
	// each with a string member "name", which lookups return verbatim. Nil: a few examples.
	Catalogues map[string][]byte

	Faults Faults // initial faults

	// IdempotencyKeyHeader names the header in which submissions may carry an idempotency key. A
	// submission that repeats the key of an accepted one gets the same response, or 422 if its body
	// differs, and is not a new notification. The emulator forgets the keys of rejected submissions at
	// once, and all others on [Emulator.Reset]. Empty: submissions have no keys.
	IdempotencyKeyHeader string

	// AllowedHosts are additional host names, without a port, for the web UI and control requests. Any
	// other name with a dot is rejected, since it could belong to another site.
	AllowedHosts []string

	Version string // reported by the health check

	// Log is called with each request to the service and its outcome, just before any response is
	// sent. Calls may be concurrent. Nil: requests are not logged.
	Log func(Request)
}

var (
	// headerName matches a token of RFC 9110 section 5.6.2, or an empty text.
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]*$")
	// hostName matches a DNS name.
	hostName = regexp.MustCompile("^[0-9A-Za-z_-]+([.][0-9A-Za-z_-]+)*$")
	// reservedHeader matches the headers that already have a meaning in submissions.
	reservedHeader = regexp.MustCompile(`(?i)^(authorization|content-.*|cookie|host|traceparent)$`)
)

// check returns an error for every member that is missing or, regardless of the others, invalid.
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
	must(headerName.MatchString(key) && !reservedHeader.MatchString(key),
		"%q cannot be the name of the idempotency key header", key)
	must(c.TokenLifetime >= 0, "the token lifetime %s must not be negative", c.TokenLifetime)
	return errors.Join(problems...)
}

// isScope reports whether text is a scope-token of RFC 6749 section 3.3.
func isScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '\\'
	})
}
