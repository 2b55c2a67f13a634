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
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"terraform-provider-notification/internal/client/answer"
	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// issuer exchanges client credentials for access tokens.
type issuer struct {
	next        *retrier
	credentials clientcredentials.Config
	userAgent   string
	secrets     *redact.Secrets // to which each token is added
	address     redact.Text     // for errors
}

// newIssuer returns the issuer at a URL for the client of that id and secret.
func newIssuer(
	next *retrier, at *url.URL, clientID, clientSecret, userAgent string, secrets *redact.Secrets,
) *issuer {
	credentials := clientcredentials.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		TokenURL:     at.String(),
		// The service's page wants the credentials in the form. Detection would offer them in a
		// header first.
		AuthStyle: oauth2.AuthStyleInParams,
	}
	return &issuer{
		next: next, credentials: credentials, userAgent: userAgent, secrets: secrets,
		address: address(secrets, at),
	}
}

// Issue requests a token for scopes. An error is an *Error.
func (i *issuer) Issue(ctx context.Context, scopes []string) (*token.Token, error) {
	credentials := i.credentials
	credentials.Scopes = scopes
	x := &tokenExchange{issuer: i}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: x})
	granted, err := credentials.Token(ctx)
	if x.err != nil {
		return nil, x.err
	}
	if failed := i.check(granted, err, x.attempt); failed != nil {
		return nil, failed
	}

	i.secrets.Add(granted.AccessToken)
	tok := &token.Token{Value: granted.AccessToken, Requested: x.attempt.Sent, Scopes: scopes}
	if lifetime := parseLifetime(x.expiresIn); lifetime > 0 {
		tok.Expires = x.attempt.Sent.Add(lifetime)
	} else if x.expiresIn != nil {
		tflog.Debug(ctx, "The expires_in of the access token is no positive number of seconds")
	}
	// An answer without scope grants what was requested (RFC 6749, section 5.1).
	if scope, ok := granted.Extra("scope").(string); ok {
		tok.Scopes = strings.Fields(scope)
	}
	return tok, nil
}

// check tells why an answer with 2xx, in which x/oauth2 found granted or err, is of no use; nil when
// it is a token. Anything but the words of its JSON may be a token.
func (i *issuer) check(granted *oauth2.Token, err error, attempt *wire.Attempt) *Error {
	secrets := i.secrets.With(answer.Tokens(attempt.Body)...)
	failed := &Error{
		Operation: FetchToken, Method: http.MethodPost, URL: i.address, ID: attempt.ID,
		Time: attempt.Sent, Attempts: 1, Status: attempt.Status,
	}
	if answered, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		failed.Code = secrets.Quote(answered.ErrorCode)
		failed.Message = secrets.Quote(answer.Words(answered.Body))
		return failed
	}
	switch {
	case err != nil:
		err = fmt.Errorf("not a token response (RFC 6749, section 5.1): %s",
			secrets.Quote(strings.TrimPrefix(err.Error(), "oauth2: ")))
	case !strings.EqualFold(granted.Type(), "Bearer"):
		kind := secrets.Quote(granted.TokenType)
		err = fmt.Errorf("the token is of type %q; %w", kind, errNotBearer)
	case !httpguts.ValidHeaderFieldValue(granted.AccessToken):
		err = errors.New("the token contains characters that a header cannot carry")
	default:
		return nil
	}
	failed.Err = new(redact.Secrets).CleanError(err) // our words about what was quoted
	return failed
}

// failure is the *Error about a token that was not obtained: err of Issue, or of ctx, which ended the
// wait for it.
func (i *issuer) failure(ctx context.Context, err error) *Error {
	if failed, ok := errors.AsType[*Error](err); ok {
		return failed
	}
	return &Error{
		Operation: FetchToken, Method: http.MethodPost, URL: i.address, Time: time.Now(), Attempts: 1,
		Err: new(redact.Secrets).CleanError(wire.ContextError(ctx)),
	}
}

// tokenExchange carries one request that x/oauth2 wrote, and its answer back for x/oauth2 to read: as
// JSON, whatever its Content-Type says, since x/oauth2 would read text/plain as a form; and without
// expires_in, since x/oauth2 refuses a token whose lifetime is not an integer.
type tokenExchange struct {
	issuer    *issuer
	attempt   *wire.Attempt   // known afterwards,
	err       error           // or why there is none
	expiresIn json.RawMessage // of the answer; nil when it has none
}

func (x *tokenExchange) RoundTrip(req *http.Request) (*http.Response, error) {
	form, _ := io.ReadAll(req.Body) // of a reader in memory
	header := req.Header.Clone()
	header.Set("Accept", "application/json")
	header.Set("User-Agent", x.issuer.userAgent)
	x.attempt, x.err = x.issuer.next.do(req.Context(), FetchToken, wire.Request{
		Method: req.Method, URL: req.URL, Header: header, Body: form, Limit: 1 << 20,
		Secrets: x.issuer.secrets,
	})
	if x.err != nil {
		return nil, x.err
	}
	body := x.attempt.Body
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) == nil {
		for name, value := range members {
			if strings.EqualFold(name, "expires_in") {
				x.expiresIn = value
				delete(members, name)
			}
		}
		body, _ = json.Marshal(members) // what was just read can be written
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// longestLifetime keeps absurd numbers of seconds from overflowing.
const longestLifetime = 100 * 365 * 24 * time.Hour

// parseLifetime reads expires_in, a number of seconds (RFC 6749, section 5.1), also with a fraction
// or an exponent or as a string. Anything else is 0.
func parseLifetime(expiresIn json.RawMessage) time.Duration {
	var text string
	if json.Unmarshal(expiresIn, &text) == nil {
		expiresIn = json.RawMessage(text)
	}
	var seconds float64
	_ = json.Unmarshal(expiresIn, &seconds) // leaves 0 where it fails
	return time.Duration(min(seconds, longestLifetime.Seconds()) * float64(time.Second))
}
