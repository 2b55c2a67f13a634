// Package client talks to the notification service: it exchanges client credentials for access
// tokens, submits notifications and looks studies up.
//
// Its promise is that an error tells whether a notification may have been submitted. It knows
// nothing of Terraform.
package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// Config is what a Client needs to know. It is taken as given: whoever fills it has checked it, so
// that mistakes are reported where they were made.
type Config struct {
	// The complete addresses of the three endpoints.
	TokenURL, NotificationsURL, StudiesURL *url.URL

	// The OAuth 2.0 client credentials (RFC 6749, section 4.4), and the scopes that are requested
	// with every token; none leaves the member out.
	ClientID, ClientSecret string
	Scopes                 []string

	// Headers are added to API requests, never to token requests. Their values are secrets.
	Headers map[string]string

	// UserAgent is sent with every request, and so is a traceparent (W3C Trace Context), which
	// belongs to Trace; the zero value means a new trace with each request.
	UserAgent string
	Trace     wire.Trace

	// IdempotencyKeyHeader is the header in which each submission carries its key. It is set only
	// for a service that answers a key which it has seen with its first answer; empty for others.
	IdempotencyKeyHeader string

	// RequestTimeout bounds one attempt, from its connection to the last byte of the answer; the
	// wait for a connection is bounded by as much. MaxRetries is how many may follow the first.
	RequestTimeout time.Duration
	MaxRetries     int

	// NoProxy makes requests go past the proxy that the environment names.
	NoProxy bool

	// RootCAs replaces the system's certificate authorities, Certificate authenticates this client
	// to both servers, and Dial opens connections: tests dial a network in memory. Each may be nil.
	RootCAs     *x509.CertPool
	Certificate *tls.Certificate
	Dial        wire.DialFunc
}

// Client is safe for concurrent use. All callers of one share its token and its pooled connections.
type Client struct {
	notificationsURL, studiesURL *url.URL

	header    http.Header // of every API request
	keyHeader string      // of a submission; may be empty
	secrets   *redact.Secrets

	api    *retrier
	issuer *issuer
	tokens *token.Cache
	scoped sync.Map // a *token.Cache for each set of scopes other than the Config's
}

// New returns a client for cfg. It does no I/O.
func New(cfg Config) *Client {
	secrets := new(redact.Secrets)
	secrets.AddClient(cfg.ClientID, cfg.ClientSecret)
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {cfg.UserAgent}}
	for name, value := range cfg.Headers {
		secrets.AddHeader(value)
		header.Set(name, value)
	}

	transport := wire.New(cfg.RequestTimeout, cfg.NoProxy, cfg.RootCAs, cfg.Certificate, cfg.Dial)
	retrying := func(next sender) *retrier {
		return &retrier{next: next, maxRetries: cfg.MaxRetries, trace: cfg.Trace}
	}
	issuer := newIssuer(retrying(transport), cfg, secrets)
	tokens := token.NewCache(issuer, slices.Clone(cfg.Scopes))
	api := retrying(&authorization{next: transport, issuer: issuer, tokens: tokens})

	return &Client{
		notificationsURL: cfg.NotificationsURL, studiesURL: cfg.StudiesURL,
		header: header, keyHeader: cfg.IdempotencyKeyHeader, secrets: secrets,
		api: api, issuer: issuer, tokens: tokens,
	}
}

// do sends one API request, with as many retries as its operation allows, and returns the service's
// answer when it has status 2xx and is not an HTML page. Everything else is an *Error.
func (c *Client) do(
	ctx context.Context, op Operation, request wire.Request,
) (*wire.Attempt, error) {
	request.Header = c.header.Clone()
	if request.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	attempt, err := c.api.do(ctx, op, request)
	failed, _ := errors.AsType[*Error](err)
	if failed != nil && failed.Operation == op { // not of the token, which others share
		failed.GrantedScopes = request.Secrets.Quote(strings.Join(c.tokens.Scopes(), " "))
	}
	return attempt, err
}

// CleanError makes an error about an answer, which quotes what is in it, fit to be shown.
func (c *Client) CleanError(err error) *redact.Error { return c.secrets.CleanError(err) }
