// Package client talks to the notification service: it exchanges client credentials for access
// tokens, submits notifications and looks studies up.
//
// Its promise is that an error tells whether a notification may have been submitted. It knows
// nothing of Terraform.
package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// DefaultTimeout bounds an operation, every retry and wait included, when its context has no
// deadline of its own.
const DefaultTimeout = 5 * time.Minute

// Config is what a Client needs to know. It is taken as given: whoever fills it has checked it, so
// that mistakes are reported where they were made.
type Config struct {
	// The complete addresses of the three endpoints.
	TokenURL, NotificationsURL, StudiesURL *url.URL

	// The OAuth 2.0 client credentials (RFC 6749, section 4.4), and the scopes that are requested
	// with every token; none leaves the member out.
	ClientID, ClientSecret string
	Scopes                 []string

	// Headers are added to API requests, never to token requests. Their values are treated as
	// secrets.
	Headers map[string]string

	// UserAgent is sent with every request, and so is a traceparent (W3C Trace Context). The trace
	// is that of TraceParent, or a new one for each request where that is empty or not valid. The
	// id of each attempt is sent in RequestIDHeader too, unless that is empty.
	UserAgent, TraceParent, RequestIDHeader string

	// RequestTimeout bounds one attempt, from its connection to the last byte of the answer; the
	// wait for a connection is bounded by as much. MaxRetries is how many may follow the first.
	RequestTimeout time.Duration
	MaxRetries     int

	// RootCAs replaces the system's certificate authorities, Certificate authenticates this client
	// to both servers, and Dial opens connections: tests dial a network in memory. Each may be nil.
	RootCAs     *x509.CertPool
	Certificate *tls.Certificate
	Dial        wire.DialFunc
}

// Client is safe for concurrent use. One Client shares its token and its connections among all
// callers.
type Client struct {
	cfg      Config
	headers  http.Header // of every API request
	secrets  *redact.Secrets
	tokenURL string // for errors

	api      *retrier
	endpoint *token.Endpoint
	tokens   *token.Cache
	scoped   sync.Map // a *token.Cache for each set of scopes other than the Config's
}

// New returns a client for cfg. It does no I/O. It assembles the chain, through which a request
// goes from the bottom line up: retries → authorization → attempt. Token requests have the same
// attempts and retries of their own.
func New(cfg Config) *Client {
	secrets := new(redact.Secrets)
	secrets.Add(cfg.ClientSecret)
	headers := http.Header{"Accept": {"application/json"}, "User-Agent": {cfg.UserAgent}}
	for name, value := range cfg.Headers {
		secrets.AddHeader(value)
		headers.Set(name, value)
	}

	attempts := wire.New(
		cfg.RequestTimeout, cfg.RequestIDHeader, cfg.RootCAs, cfg.Certificate, cfg.Dial,
	)
	trace, _ := wire.ParseTrace(cfg.TraceParent) // zero where it is not valid
	issuer := &issuer{retrier{attempts, cfg.MaxRetries, trace}, cfg, secrets}
	endpoint := token.NewEndpoint(cfg.TokenURL, cfg.ClientID, cfg.ClientSecret, secrets, issuer)
	tokens := token.NewCache(endpoint, slices.Clone(cfg.Scopes))
	tokenURL := secrets.Clean(bareURL(cfg.TokenURL))
	authorized := &authorization{next: attempts, tokens: tokens, tokenURL: tokenURL}
	api := &retrier{authorized, cfg.MaxRetries, trace}

	return &Client{
		cfg: cfg, headers: headers, secrets: secrets, tokenURL: tokenURL,
		api: api, endpoint: endpoint, tokens: tokens,
	}
}

// CheckTraceParent says why value is no Config.TraceParent.
func CheckTraceParent(value string) error {
	_, err := wire.ParseTrace(value)
	return err
}

// do sends one API request, with as many retries as its operation allows, and returns the service's
// answer when it has status 2xx and is no HTML page. Everything else is an *Error that quotes no
// secret.
func (c *Client) do(
	ctx context.Context, op Operation, request wire.Request, secrets ...string,
) (*wire.Attempt, error) {
	request.Header = c.headers.Clone()
	if request.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.api.do(ctx, call{op, request, c.secrets.With(secrets...)})
	var failed *Error
	if errors.As(err, &failed) && failed.Operation == op { // not of the token, which others share
		failed.GrantedScopes = c.tokens.Scopes()
	}
	return answer, err
}

// retrier sends requests until they succeed, fail for good, or come to the end of their retries or
// their time.
type retrier struct {
	next interface {
		// Send makes one attempt. Its Err is an *Error when there was no access token for it.
		Send(ctx context.Context, request wire.Request) *wire.Attempt
	}
	maxRetries int
	trace      wire.Trace // zero for a new one with each request
}

// do makes attempts at c until one is accepted or none should follow.
func (r *retrier) do(ctx context.Context, c call) (*wire.Attempt, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, DefaultTimeout)
		defer cancel()
	}
	ctx = tflog.MaskLogStrings(ctx, c.secrets.All()...)
	c.request.Trace = cmp.Or(r.trace, wire.NewTrace())
	for {
		c.request.Number++
		attempt := r.next.Send(ctx, c.request)
		outcome := classify(c.op, attempt)
		if outcome == accepted {
			return attempt, nil
		}
		var stopped error
		if outcome == retryable && c.request.Number <= r.maxRetries {
			stopped = pause(ctx, delay(attempt.Header, c.request.Number))
			if stopped == nil {
				continue
			}
		}
		return nil, c.failure(outcome, attempt, stopped)
	}
}

// pause waits, unless no time would be left after it for another attempt.
func pause(ctx context.Context, wait time.Duration) error {
	if ctx.Err() != nil {
		return wire.ContextError(ctx)
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return &waitError{wait: wait, left: time.Until(deadline)}
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return wire.ContextError(ctx)
	}
}

// issuer is the token endpoint for package token.
type issuer struct {
	retrier
	cfg     Config
	secrets *redact.Secrets
}

// Post sends a token request.
func (i *issuer) Post(ctx context.Context, form []byte) (*wire.Attempt, error) {
	header := http.Header{
		"Accept":       {"application/json"},
		"Content-Type": {"application/x-www-form-urlencoded"},
		"User-Agent":   {i.cfg.UserAgent},
	}
	return i.do(ctx, call{op: FetchToken, secrets: i.secrets, request: wire.Request{
		Method: http.MethodPost, URL: i.cfg.TokenURL, Header: header, Body: form, Limit: 1 << 20,
	}})
}
