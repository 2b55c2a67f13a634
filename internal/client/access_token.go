package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/wire"
)

// AccessToken returns a token with the given scopes, or with the Config's scopes if there are none.
// Callers share the token and must not change it. An error is an *Error.
func (c *Client) AccessToken(ctx context.Context, scopes []string) (*Token, error) {
	if len(scopes) == 0 {
		return c.tokens.get(ctx)
	}
	empty := &tokenCache{issuer: c.tokens.issuer, scopes: slices.Clone(scopes)}
	cache, _ := c.scoped.LoadOrStore(strings.Join(scopes, " "), empty)
	return cache.(*tokenCache).get(ctx) //nolint:forcetypeassert // nothing else is stored
}

// issuer requests access tokens with client credentials (RFC 6749, section 4.4).
type issuer struct {
	next        *retrier
	credentials clientcredentials.Config
	request     wire.Request // without its body; issue adds each token to Secrets
}

func newIssuer(next *retrier, cfg Config, secrets *redact.Secrets) *issuer {
	return &issuer{
		next: next,
		credentials: clientcredentials.Config{
			ClientID: cfg.ClientID, ClientSecret: cfg.ClientSecret, TokenURL: cfg.TokenURL.String(),
			AuthStyle: oauth2.AuthStyleInParams, // by default x/oauth2 tries a header first
		},
		request: wire.Request{
			Method: http.MethodPost, URL: cfg.TokenURL, ReturnsToken: true,
			Header: http.Header{"Accept": {"application/json"}, "User-Agent": {cfg.UserAgent}},
			Limit:  1 << 20, Secrets: secrets,
		},
	}
}

// issue requests a token for scopes; without any, the server decides which scopes it grants. An
// error is an *Error.
func (i *issuer) issue(ctx context.Context, scopes []string) (*Token, error) {
	credentials := i.credentials
	credentials.Scopes = scopes
	x := &tokenTransport{issuer: i, attempt: wire.Unsent(i.request, nil)}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: x})
	granted, err := credentials.Token(ctx)
	if failed, ok := errors.AsType[*Error](err); ok {
		return nil, failed // no response with status 2xx
	}
	if failed := i.check(granted, err, x.attempt); failed != nil {
		return nil, failed
	}

	i.request.Secrets.Add(granted.AccessToken)
	tok := &Token{Value: granted.AccessToken, Scopes: scopes}
	if lifetime := parseLifetime(x.expiresIn); lifetime > 0 {
		// It counts from the request, since the token was issued no earlier.
		tok.Expires = x.attempt.Sent.Add(lifetime)
		tok.due = tok.Expires.Add(-min(lifetime/10, 30*time.Second))
	} else if x.expiresIn != nil {
		tflog.Debug(ctx, "The expires_in of the access token is not a positive number of seconds")
	}
	// A response without scope grants the requested scopes (RFC 6749, section 5.1).
	if scope, ok := granted.Extra("scope").(string); ok {
		tok.Scopes = strings.Fields(scope)
	}
	return tok, nil
}

// check returns an error unless a 2xx response, which x/oauth2 parsed into granted or err, has a
// usable token. It quotes only the message members of JSON: any other part may be a token.
func (i *issuer) check(granted *oauth2.Token, err error, attempt *wire.Attempt) *Error {
	secrets := i.request.Secrets
	failed := newError(FetchToken, i.request, attempt, nil, NoReason, nil)
	retrieveErr, isOAuthError := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case isOAuthError:
		failed.Code = secrets.Quote(retrieveErr.ErrorCode)
		failed.Message = secrets.Quote(response.JSONMessage(retrieveErr.Body))
		return failed
	case err != nil:
		err = fmt.Errorf("not a token response as in RFC 6749, section 5.1 (%s)",
			strings.TrimPrefix(err.Error(), "oauth2: "))
	case !strings.EqualFold(granted.Type(), "Bearer"):
		failed.Reason = NotBearer
		err = fmt.Errorf("the token is of type %q; only Bearer tokens can be used",
			secrets.With(granted.AccessToken).Quote(granted.TokenType))
	case !httpguts.ValidHeaderFieldValue(granted.AccessToken):
		err = errors.New("the token contains characters that a header cannot carry")
	default:
		return nil
	}
	failed.Err = secrets.CleanError(err)
	return failed
}

// tokenTransport is x/oauth2's http.RoundTripper for one token request, including its retries.
type tokenTransport struct {
	issuer    *issuer
	attempt   *wire.Attempt   // the accepted one
	expiresIn json.RawMessage // the expires_in of the response; nil if absent
}

// RoundTrip returns the response as application/json, since x/oauth2 would parse text/plain as a
// form, and without expires_in, since x/oauth2 rejects values that are not integers.
func (x *tokenTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	request := x.issuer.request
	request.Body, _ = io.ReadAll(req.Body) // reads from memory
	request.Header = req.Header.Clone()
	maps.Copy(request.Header, x.issuer.request.Header)
	attempt, err := x.issuer.next.do(req.Context(), FetchToken, request)
	if err != nil {
		return nil, err
	}
	x.attempt = attempt
	body := attempt.Body
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) == nil {
		for name, value := range members {
			if strings.EqualFold(name, "expires_in") {
				x.expiresIn = value
				delete(members, name)
			}
		}
		body, _ = json.Marshal(members) // valid JSON, as it was just parsed
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// longestLifetime keeps huge numbers of seconds from overflowing.
const longestLifetime = 100 * 365 * 24 * time.Hour

// parseLifetime parses expires_in, a number of seconds (RFC 6749, section 5.1). It may be a string,
// and have a fraction or an exponent. For any other value, parseLifetime returns 0.
func parseLifetime(expiresIn json.RawMessage) time.Duration {
	var text string
	if json.Unmarshal(expiresIn, &text) == nil {
		expiresIn = json.RawMessage(text)
	}
	var seconds float64
	_ = json.Unmarshal(expiresIn, &seconds) // on failure, seconds stays 0
	return time.Duration(min(seconds, longestLifetime.Seconds()) * float64(time.Second))
}
