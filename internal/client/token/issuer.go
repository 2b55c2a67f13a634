package token

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
	"terraform-provider-notification/internal/client/wire"
)

// ErrNotBearer says that a token is of another type than Bearer.
var ErrNotBearer = errors.New("only Bearer tokens can be used")

// Error is why a 2xx answer of the issuer is not a token.
type Error struct {
	Code    redact.Text   // the error code of RFC 6749, section 5.2; empty for none
	Message redact.Text   // what the issuer said
	Err     *redact.Error // why the answer is of no use, where the issuer said nothing
	Status  int
	ID      wire.ID
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return e.Message.String()
}

func (e *Error) Unwrap() error {
	if e.Err == nil {
		return nil
	}
	return e.Err
}

// SendFunc sends a token request, and again where that may help. The answer has a status of 2xx.
type SendFunc func(ctx context.Context, request wire.Request) (*wire.Attempt, error)

// Issuer exchanges client credentials for access tokens.
type Issuer struct {
	credentials clientcredentials.Config
	secrets     *redact.Secrets
	send        SendFunc
}

// NewIssuer returns the issuer that gets token requests at address. It adds every token to secrets.
func NewIssuer(
	address *url.URL, clientID, clientSecret string, secrets *redact.Secrets, send SendFunc,
) *Issuer {
	credentials := clientcredentials.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		TokenURL:     address.String(),
		// The service's page wants the credentials in the form. Detection would offer them in a
		// header first.
		AuthStyle: oauth2.AuthStyleInParams,
	}
	return &Issuer{credentials: credentials, secrets: secrets, send: send}
}

// issue requests a token for scopes. An error is that of the SendFunc, or an *Error.
func (i *Issuer) issue(ctx context.Context, scopes []string) (*Token, error) {
	credentials := i.credentials
	credentials.Scopes = scopes
	x := &exchange{send: i.send}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: x})
	granted, err := credentials.Token(ctx)
	if x.err != nil {
		return nil, x.err
	}
	secrets := i.secrets.With(answer.Tokens(x.attempt.Body)...)
	if unusable := check(granted, err, secrets); unusable != nil {
		unusable.ID, unusable.Status = x.attempt.ID, x.attempt.Status
		return nil, unusable
	}

	i.secrets.Add(granted.AccessToken)
	tok := &Token{Value: granted.AccessToken, Requested: x.attempt.Sent, Scopes: scopes}
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

// check tells why an answer with secrets, in which x/oauth2 found granted or err, is of no use; nil
// when it is a token.
func check(granted *oauth2.Token, err error, secrets *redact.Secrets) *Error {
	if answered, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		message := secrets.Quote(answer.Words(answered.Body)) // anything else may be a token
		return &Error{Code: secrets.Quote(answered.ErrorCode), Message: message}
	}
	switch {
	case err != nil:
		err = fmt.Errorf("the answer is not a token response (RFC 6749, section 5.1): %s",
			secrets.Quote(strings.TrimPrefix(err.Error(), "oauth2: ")))
	case !strings.EqualFold(granted.Type(), "Bearer"):
		kind := secrets.Quote(granted.TokenType)
		err = fmt.Errorf("the token is of type %q; %w", kind, ErrNotBearer)
	case !httpguts.ValidHeaderFieldValue(granted.AccessToken):
		err = errors.New("the token holds characters that a header cannot carry")
	default:
		return nil
	}
	return &Error{Err: new(redact.Secrets).CleanError(err)} // our words about what was quoted
}

// exchange carries one request that x/oauth2 wrote, and its answer back for x/oauth2 to read: as
// JSON, whatever its Content-Type says, since x/oauth2 would read text/plain as a form; and without
// expires_in, since x/oauth2 refuses a token whose lifetime is not an integer.
type exchange struct {
	send      SendFunc
	attempt   *wire.Attempt   // known afterwards,
	err       error           // or why there is none
	expiresIn json.RawMessage // of the answer; nil when it has none
}

func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	form, _ := io.ReadAll(req.Body) // of a reader in memory
	x.attempt, x.err = x.send(req.Context(), wire.Request{
		Method: req.Method, URL: req.URL, Header: req.Header, Body: form, Limit: 1 << 20,
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
