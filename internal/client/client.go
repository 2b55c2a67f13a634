// Package client is an HTTP client for the notification service: it exchanges client credentials
// for access tokens, submits notifications and looks up studies.
//
// Each error reports whether a notification may have been submitted. Of Terraform's packages only
// the logger is used.
package client

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Config configures a Client. New does not validate it: the caller does, and can name the setting
// that is wrong.
type Config struct {
	// The complete URLs of the endpoints.
	TokenURL, NotificationsURL, StudiesURL *url.URL

	// The OAuth 2.0 client credentials (RFC 6749, section 4.4), and the scopes requested with every
	// token. Without scopes, token requests have no scope parameter.
	ClientID, ClientSecret string
	Scopes                 []string

	// Header is added to API requests, not to token requests. Values of eight bytes or more are
	// secrets.
	Header http.Header

	// UserAgent and a traceparent (W3C Trace Context) are sent with every request. Trace is the
	// trace of all requests; if it is zero, each request starts a new trace.
	UserAgent string
	Trace     wire.Trace

	// IdempotencyKeyHeader is the name of the header in which each submission carries its key.
	// Leave it empty unless the service honours keys: see the service contract, "Idempotency keys".
	IdempotencyKeyHeader string

	// MaxRetries limits the attempts after the first. Of submissions and lookups, those that got a
	// 429 with Retry-After do not count, unless MaxRetries is 0.
	MaxRetries int

	wire.Options // of the connections to both servers
}

// Client is safe for concurrent use. All callers share its access token and pooled connections.
type Client struct {
	config  Config
	header  http.Header // sent with every API request
	secrets *redact.Secrets

	retries *retrier
	api     sender // of API requests
	tokens  *tokenCache
	scoped  sync.Map // space-separated scopes to *tokenCache, for scopes other than the Config's
}

// New returns a client configured by cfg. It does no I/O.
func New(cfg Config) *Client {
	secrets := redact.NewSecrets(cfg.urls()...)
	secrets.AddCredential(cfg.ClientSecret)
	secrets.Add(redact.BasicCredentials(cfg.ClientID, cfg.ClientSecret)...)
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {cfg.UserAgent}}
	for name := range cfg.Header {
		secrets.AddHeader(cfg.Header.Get(name))
		header[name] = cfg.Header[name]
	}
	if !cfg.NoProxy {
		addProxyUsers(secrets, cfg.urls())
	}

	transport := wire.New(cfg.Options)
	retries := &retrier{
		maxRetries: cfg.MaxRetries, trace: cfg.Trace, uncounted429: true, reserve: cfg.RequestTimeout,
	}
	tokens := &tokenCache{
		source: newTokenSource(transport, cfg, secrets), scopes: slices.Clone(cfg.Scopes),
	}
	return &Client{
		config: cfg, header: header, secrets: secrets, tokens: tokens,
		retries: retries, api: &authorizer{next: transport, tokens: tokens},
	}
}

// addProxyUsers adds the user information of the proxies for requests to urls, since a proxy may
// repeat it.
func addProxyUsers(secrets *redact.Secrets, urls []*url.URL) {
	for _, u := range urls {
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u})
		if err != nil || proxy == nil { // each request then fails, or needs none
			continue
		}
		if password, _ := proxy.User.Password(); password != "" {
			secrets.Add(redact.BasicCredentials(proxy.User.Username(), password)...)
		} else {
			secrets.Add(proxy.User.Username()) // perhaps a token
		}
	}
}

// do sends one API request, with the retries that are safe, and returns the accepted attempt, and
// the first ambiguous one before it, if any. An error is an *Error.
func (c *Client) do(
	ctx context.Context, op Operation, request wire.Request,
) (attempt, firstAmbiguous *wire.Attempt, err error) {
	request.Header = c.header.Clone()
	if request.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	attempt, firstAmbiguous, failed := c.retries.do(ctx, c.api, request)
	if failed == nil {
		return attempt, firstAmbiguous, nil
	}
	if tok := c.tokens.current.Load(); tok != nil {
		failed.granted = tok.Scopes
	}
	return nil, nil, newError(op, request, failed)
}

// CleanError sanitizes an error that quotes a response, so that it can be displayed.
func (c *Client) CleanError(err error) *redact.Error { return c.secrets.CleanError(err) }
