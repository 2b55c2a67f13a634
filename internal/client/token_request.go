package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// ObtainAccessToken returns a token with the given scopes, or with the Config's scopes if there are
// none: one that is not due for renewal, unless a renewal fails. Callers share the token and must
// not change it. Without a deadline, ctx is limited to DefaultTimeout. An error is an *Error.
func (c *Client) ObtainAccessToken(ctx context.Context, scopes []string) (*Token, error) {
	if len(scopes) == 0 || slices.Equal(scopes, c.tokens.scopes) {
		return c.tokens.fresh(ctx)
	}
	empty := &tokenCache{source: c.tokens.source, scopes: slices.Clone(scopes)}
	cache, _ := c.scoped.LoadOrStore(strings.Join(scopes, " "), empty)
	return cache.(*tokenCache).fresh(ctx) //nolint:forcetypeassert // nothing else is stored
}

// tokenSource requests access tokens with client credentials (RFC 6749, section 4.4).
type tokenSource struct {
	retries     *retrier
	next        sender
	credentials clientcredentials.Config
	request     wire.Request // without its body; fetch adds each token to Secrets
}

func newTokenSource(next sender, cfg Config, secrets *redact.Secrets) *tokenSource {
	request := cfg.request(ObtainAccessToken, secrets)
	request.Header = http.Header{"Accept": {"application/json"}, "User-Agent": {cfg.UserAgent}}
	return &tokenSource{
		retries: &retrier{maxRetries: cfg.MaxRetries, trace: cfg.Trace}, next: next,
		credentials: clientcredentials.Config{
			ClientID: cfg.ClientID, ClientSecret: cfg.ClientSecret, TokenURL: cfg.TokenURL.String(),
			AuthStyle: oauth2.AuthStyleInParams, // by default x/oauth2 tries a header first
		},
		request: request,
	}
}

// fetch requests a token for scopes; without any, the server decides which scopes it grants. An
// error is an *Error.
//
// credentials.Token, of x/oauth2, encodes the request, calls send once, and decodes the response
// that send returns. In send, the retry loop makes the attempts. There are three outcomes:
//
//   - Token returns an error before it calls send: nothing was sent, and neither attempt nor failed
//     is set. The error says why.
//   - send gets no 2xx response, and sets failed. Token returns the error of send, which says less.
//   - send gets a 2xx response, and sets attempt. Token returns a token, or an error if access_token
//     is empty, or error is not. check says what was wrong with the response.
func (s *tokenSource) fetch(ctx context.Context, scopes []string) (*Token, error) {
	var attempt *wire.Attempt
	var failed *failure
	send := roundTripper(func(encoded *http.Request) (*http.Response, error) {
		request := s.request
		request.Header = encoded.Header.Clone()
		maps.Copy(request.Header, s.request.Header)
		request.Body, _ = io.ReadAll(encoded.Body) // reads from memory
		attempt, _, failed = s.retries.do(encoded.Context(), s.next, request)
		if failed != nil {
			return nil, errors.New("no 2xx response")
		}
		return &http.Response{
			StatusCode: http.StatusOK, // or another 2xx
			// x/oauth2 would parse text/plain as a form.
			Header: http.Header{"Content-Type": {"application/json"}},
			Body:   io.NopCloser(bytes.NewReader(membersOf(attempt.Body).clean())),
		}, nil
	})
	credentials := s.credentials
	credentials.Scopes = scopes
	granted, err := credentials.Token(
		context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: send}))
	switch {
	case failed != nil:
		return nil, newError(ObtainAccessToken, s.request, failed)
	case attempt == nil:
		return nil, s.unsent(err)
	}
	if unusable := s.check(attempt, granted, err); unusable != nil {
		return nil, unusable
	}
	members := membersOf(attempt.Body)
	s.request.Secrets.AddCredential(granted.AccessToken)

	tok := &Token{Value: granted.AccessToken, Scopes: grantedScopes(members.Scope, scopes)}
	if lifetime := parseLifetime(members.ExpiresIn); lifetime > 0 {
		// It counts from the request, since the token was issued no earlier.
		tok.Expires = attempt.Began.Add(lifetime)
		tok.due = tok.Expires.Add(-min(lifetime/10, 30*time.Second))
	} else if members.ExpiresIn != nil {
		tflog.Debug(ctx, "The expires_in of the access token is not a positive number of seconds")
	}
	return tok, nil
}

// unsent returns the error of a token request that could not be made.
func (s *tokenSource) unsent(err error) *Error {
	return newError(ObtainAccessToken, s.request, &failure{
		last: wire.Unsent(s.request, err), reason: noResponseReason(err),
	})
}

// roundTripper makes a function an http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
