package emulator

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/notification/terraform-provider-notification/internal/emulator/fault"
	"github.com/notification/terraform-provider-notification/internal/emulator/ledger"
)

type (
	// Faults maps a target to the sequence of faults for its next requests; see [fault.Usage].
	Faults = fault.Faults
	// Ledger is a snapshot of the requests that the emulator received.
	Ledger = ledger.Ledger
	// Submission is an accepted notification.
	Submission = ledger.Submission
	// Request is one request to the service, without credentials.
	Request = ledger.Request
)

// Config configures an [Emulator]. Only the credentials are required.
type Config struct {
	ClientID, ClientSecret string // the only credentials that get a token

	// Below the root and escaped, with or without the leading slash. Empty: the default, which a
	// system may precede, except for tokens.
	TokenPath, NotificationsPath, StudiesPath string

	// A lifetime with a fraction of a second makes tokens expire before the client expects it, since
	// expires_in is rounded up. Zero: tokens never expire, and responses have no expires_in.
	TokenLifetime time.Duration

	// Studies are the studies to look up: a JSON array of objects, each with a string member "name",
	// which lookups return verbatim. Nil: a few examples.
	Studies []byte

	Faults  Faults // initial faults
	Version string // reported by the health check

	// IdempotencyKeyHeader names the header in which submissions may carry an idempotency key. A
	// submission that repeats the key of an accepted one gets the same response, or 422 if its body
	// differs, and is not a new notification. Empty: submissions have no keys.
	IdempotencyKeyHeader string

	Log func(Request) // called with each request before its response, concurrently; may be nil
}

var (
	// headerName matches a token of RFC 9110 section 5.6.2, or an empty text.
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]*$")
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
	// A line break in one would be a variable of its own in the file of -env-file.
	isText := func(text string) bool {
		return text != "" && !strings.ContainsFunc(text, unicode.IsControl)
	}
	must(isText(c.ClientID), "the client ID must not be empty or hold control characters")
	must(isText(c.ClientSecret), "the client secret must not be empty or hold control characters")
	for _, to := range c.endpoints() {
		parsed, err := url.Parse("http://emulator" + to.path)
		must(err == nil && parsed.EscapedPath() == to.path,
			"the %s path %q must be escaped as in a URL, without a query or a fragment", to.name, to.path)
		must(!isControl(to.path), "the %s path must not be below /_emulator", to.name)
	}
	key := c.IdempotencyKeyHeader
	must(headerName.MatchString(key) && !reservedHeader.MatchString(key),
		"%q cannot be the name of the idempotency key header", key)
	must(c.TokenLifetime >= 0, "the token lifetime %s must not be negative", c.TokenLifetime)
	return errors.Join(problems...)
}
