// Package client talks to the notification service: it exchanges client
// credentials for access tokens, submits notifications and looks studies up.
//
// Its promise is that an error tells whether a notification reached the
// service. It knows nothing of Terraform.
package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

// DefaultTimeout bounds an operation, every repetition and wait included, when
// its context has no deadline of its own.
const DefaultTimeout = 5 * time.Minute

// Config is what a Client needs to know. It is taken as given: whoever fills it
// has checked it, so that mistakes are reported where they were made.
type Config struct {
	// TokenURL, NotificationsURL and StudiesURL are the complete addresses of
	// the three endpoints.
	TokenURL, NotificationsURL, StudiesURL *url.URL

	// ClientID and ClientSecret are the credentials of the OAuth 2.0 client
	// credentials grant (RFC 6749, section 4.4).
	ClientID, ClientSecret string

	// Scopes are requested with every token; none leaves the member out.
	Scopes []string

	// Headers are added to API requests, never to token requests. Their values
	// are treated as secrets.
	Headers map[string]string

	// RequestTimeout bounds one attempt, from the search for a connection to the
	// last byte of the answer.
	RequestTimeout time.Duration

	// MaxRetries is how many times a request is repeated after the first attempt.
	MaxRetries int

	// RootCAs replaces the system's certificate authorities; nil keeps them.
	RootCAs *x509.CertPool

	// Certificate authenticates this client to both servers; nil for none.
	Certificate *tls.Certificate

	// UserAgent is sent with every request.
	UserAgent string

	// Dial opens connections; nil dials TCP. Tests dial a network in memory.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client is safe for concurrent use. One Client shares its token and its
// connections among all callers.
type Client struct {
	notificationsURL, studiesURL *url.URL

	headers  http.Header
	api      sender
	tokens   *tokenCache
	narrowed narrowedTokens
	secrets  *redactor
}

// New returns a client for cfg. It does no I/O.
func New(cfg Config) *Client {
	return newClient(cfg, newTransport(cfg))
}

// newClient assembles the chain. A request goes through it from the bottom line
// up: retry → authorization → attempt → logging → base.
func newClient(cfg Config, base http.RoundTripper) *Client {
	secrets := newRedactor(cfg)
	logged := &loggingTransport{base: base}

	issuer := newTokenEndpoint(cfg, sender{
		http:       &http.Client{Transport: &attemptTransport{base: logged, timeout: cfg.RequestTimeout}, CheckRedirect: refuseRedirect},
		maxRetries: cfg.MaxRetries,
		secrets:    secrets,
	})
	tokens := &tokenCache{endpoint: issuer, wanted: cfg.Scopes}

	wire := &attemptTransport{base: logged, timeout: cfg.RequestTimeout, grace: submissionGrace}
	authorized := &authorizationTransport{base: wire, tokens: tokens}

	return &Client{
		notificationsURL: cfg.NotificationsURL,
		studiesURL:       cfg.StudiesURL,
		headers:          apiHeaders(cfg),
		tokens:           tokens,
		secrets:          secrets,
		api: sender{
			http:       &http.Client{Transport: authorized, CheckRedirect: sameOriginLookUps},
			maxRetries: cfg.MaxRetries,
			secrets:    secrets,
		},
	}
}

// do sends one API request, with as many repetitions as its operation allows.
// No error quotes secrets.
func (c *Client) do(ctx context.Context, op Operation, method string, target *url.URL, body []byte, secrets ...string) (*answer, error) {
	header := c.headers.Clone()
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	api := c.api
	api.secrets = c.secrets.with(secrets...)
	ans, err := api.send(ctx, op, method, target, header, body)
	var failed *Error
	if errors.As(err, &failed) && failed.Operation == op && failed.Status == http.StatusForbidden {
		failed.GrantedScopes = c.tokens.scopes()
	}
	return ans, err
}

// apiHeaders are the headers of every API request but Content-Type and
// Authorization, which belong to the request and to its attempt.
func apiHeaders(cfg Config) http.Header {
	header := http.Header{}
	header.Set("Accept", "application/json")
	header.Set("User-Agent", cfg.UserAgent)
	for name, value := range cfg.Headers {
		header.Set(name, value)
	}
	return header
}
