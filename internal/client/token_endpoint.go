package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// tokenEndpoint exchanges client credentials for access tokens.
type tokenEndpoint struct {
	config  clientcredentials.Config
	http    *http.Client
	secrets *redactor
}

func newTokenEndpoint(cfg Config, s sender) *tokenEndpoint {
	return &tokenEndpoint{
		config: clientcredentials.Config{
			ClientID:     cfg.ClientID,
			ClientSecret: cfg.ClientSecret,
			TokenURL:     cfg.TokenURL.String(),
			// The service's page wants the credentials in the form. Detection
			// would offer them in a header first.
			AuthStyle: oauth2.AuthStyleInParams,
		},
		http:    &http.Client{Transport: &issuerTransport{sender: s, userAgent: cfg.UserAgent}},
		secrets: s.secrets,
	}
}

// exchange requests a token for scopes; none leaves them to the service.
func (e *tokenEndpoint) exchange(ctx context.Context, scopes []string) (*token, error) {
	config := e.config
	config.Scopes = scopes
	requested := time.Now()
	granted, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, e.http))
	if err != nil {
		return nil, e.failure(err)
	}
	e.secrets.add(granted.AccessToken)

	switch {
	case !strings.EqualFold(granted.Type(), "Bearer"):
		return nil, e.unusable(fmt.Errorf("the token is of type %q; only Bearer tokens can be used", e.secrets.quote(granted.TokenType)))
	case !httpguts.ValidHeaderFieldValue(granted.AccessToken):
		return nil, e.unusable(errors.New("the token holds characters that a header cannot carry"))
	}

	tok := &token{value: granted.AccessToken, requested: requested}
	if !granted.Expiry.IsZero() {
		tok.expires = requested.Add(time.Until(granted.Expiry).Round(time.Second))
	}
	// An answer without scope grants what was requested (RFC 6749, section 5.1).
	tok.scopes = scopes
	if scope, ok := granted.Extra("scope").(string); ok {
		tok.scopes = strings.Fields(scope)
	}
	return tok, nil
}

// failure turns what x/oauth2 returned, or why nobody waited for it, into an
// Error without quoting the body.
func (e *tokenEndpoint) failure(err error) error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	var caller *endedError
	if errors.As(err, &caller) {
		failed = e.unusable(caller)
		failed.Status = 0
		return failed
	}
	failed = e.unusable(errors.New(e.secrets.quote(strings.TrimPrefix(err.Error(), "oauth2: "))))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		failed.Err = nil
		failed.Code = e.secrets.quote(refused.ErrorCode)
		failed.Message = e.secrets.quote(joinMessage(refused.ErrorCode, refused.ErrorDescription))
		return failed
	}
	failed.Err = fmt.Errorf("the answer is not a token response (RFC 6749, section 5.1): %w", failed.Err)
	return failed
}

// unusable is an Error about an answer that came with 200 OK.
func (e *tokenEndpoint) unusable(err error) *Error {
	return &Error{
		Operation: FetchToken, Method: http.MethodPost, URL: e.config.TokenURL,
		Status: http.StatusOK, Time: time.Now(), Attempts: 1, Err: err,
	}
}

// issuerTransport carries the requests of x/oauth2: with repetitions, and with
// an answer that is JSON whatever its Content-Type says, since x/oauth2 would
// read text/plain as a form.
type issuerTransport struct {
	sender    sender
	userAgent string
}

func (t *issuerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	form, err := io.ReadAll(req.Body)
	_ = req.Body.Close() // of a reader in memory
	if err != nil {
		return nil, err
	}
	header := req.Header.Clone()
	header.Set("Accept", "application/json")
	header.Set("User-Agent", t.userAgent)
	ans, err := t.sender.send(req.Context(), FetchToken, req.Method, req.URL, header, form)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", ans.status, http.StatusText(ans.status)),
		StatusCode: ans.status,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(trimBOM(ans.body))),
		Request:    req,
	}, nil
}
