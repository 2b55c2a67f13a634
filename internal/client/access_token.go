package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// AccessToken returns a token with the given scopes, or with the Config's scopes if there are none.
// Callers share the token and must not change it. An error is an *Error.
func (c *Client) AccessToken(ctx context.Context, scopes []string) (*token.Token, error) {
	cache := c.tokens
	if len(scopes) > 0 {
		empty := token.NewCache(c.issuer, slices.Clone(scopes))
		kept, _ := c.scoped.LoadOrStore(strings.Join(scopes, " "), empty)
		cache = kept.(*token.Cache) //nolint:forcetypeassert // nothing else is stored
	}
	return c.issuer.tokenFrom(ctx, cache)
}

// issuer requests access tokens with client credentials (RFC 6749, section 4.4).
type issuer struct {
	next        *retrier
	url         *url.URL
	credentials clientcredentials.Config
	userAgent   string
	secrets     *redact.Secrets // Issue adds each token
}

func newIssuer(next *retrier, cfg Config, secrets *redact.Secrets) *issuer {
	return &issuer{
		next: next, url: cfg.TokenURL, userAgent: cfg.UserAgent, secrets: secrets,
		credentials: clientcredentials.Config{
			ClientID: cfg.ClientID, ClientSecret: cfg.ClientSecret, TokenURL: cfg.TokenURL.String(),
			AuthStyle: oauth2.AuthStyleInParams, // by default x/oauth2 tries a header first
		},
	}
}

// tokenFrom returns the token of cache, whose issuer is i. An error is an *Error.
func (i *issuer) tokenFrom(ctx context.Context, cache *token.Cache) (*token.Token, error) {
	tok, err := cache.Get(ctx)
	_, isRequestError := errors.AsType[*Error](err)
	if err != nil && !isRequestError { // ctx ended the wait
		err = i.newError(&wire.Attempt{URL: i.url, Sent: time.Now()}, wire.ContextError(ctx))
	}
	return tok, err
}

// newError returns the error of a token request that ended with attempt. err is its cause, or nil.
func (i *issuer) newError(attempt *wire.Attempt, err error) *Error {
	request := wire.Request{Method: http.MethodPost, URL: i.url, Number: 1, Secrets: i.secrets}
	return newError(FetchToken, request, attempt, err)
}

// Issue requests a token for scopes. An error is an *Error.
func (i *issuer) Issue(ctx context.Context, scopes []string) (*token.Token, error) {
	credentials := i.credentials
	credentials.Scopes = scopes
	x := &tokenExchange{issuer: i}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: x})
	granted, err := credentials.Token(ctx)
	if failed, ok := errors.AsType[*Error](err); ok {
		return nil, failed // no response with status 2xx
	}
	if failed := i.check(granted, err, x.attempt); failed != nil {
		return nil, failed
	}

	i.secrets.Add(granted.AccessToken)
	requested := x.attempt.Sent
	tok := &token.Token{Value: granted.AccessToken, Scopes: scopes, Requested: requested}
	if lifetime := parseLifetime(x.expiresIn); lifetime > 0 {
		tok.Expires = requested.Add(lifetime)
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
	secrets := i.secrets.With(response.Tokens(attempt.Body)...)
	if retrieveErr, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		failed := i.newError(attempt, nil)
		failed.Code = secrets.Quote(retrieveErr.ErrorCode)
		failed.Message = secrets.Quote(response.JSONMessage(retrieveErr.Body))
		return failed
	}
	switch {
	case err != nil:
		err = fmt.Errorf("not a token response (RFC 6749, section 5.1): %s",
			strings.TrimPrefix(err.Error(), "oauth2: "))
	case !strings.EqualFold(granted.Type(), "Bearer"):
		err = fmt.Errorf("the token is of type %q; %w", secrets.Quote(granted.TokenType),
			errNotBearer)
	case !httpguts.ValidHeaderFieldValue(granted.AccessToken):
		err = errors.New("the token contains characters that a header cannot carry")
	default:
		return nil
	}
	return i.newError(attempt, err)
}

// tokenExchange is x/oauth2's http.RoundTripper for one token request, including its retries.
type tokenExchange struct {
	issuer    *issuer
	attempt   *wire.Attempt   // the accepted one; nil before
	expiresIn json.RawMessage // the expires_in of the response; nil if absent
}

// RoundTrip returns the response as application/json, since x/oauth2 would parse text/plain as a
// form, and without expires_in, since x/oauth2 rejects values that are not integers.
func (x *tokenExchange) RoundTrip(req *http.Request) (*http.Response, error) {
	form, _ := io.ReadAll(req.Body) // reads from memory
	header := req.Header.Clone()
	header.Set("Accept", "application/json")
	header.Set("User-Agent", x.issuer.userAgent)
	attempt, err := x.issuer.next.do(req.Context(), FetchToken, wire.Request{
		Method: req.Method, URL: req.URL, Header: header, Body: form, Limit: 1 << 20,
		Confidential: true, Secrets: x.issuer.secrets,
	})
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
