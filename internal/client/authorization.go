package client

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// drainLimit is how long an answer that nobody wants may be to be read, which
// keeps its connection.
const drainLimit = 4 << 10

// authorizationTransport adds the access token to each request. Endpoint methods
// never see it.
type authorizationTransport struct {
	base   http.RoundTripper
	tokens *tokenCache
}

// RoundTrip sends req with the current token. A 401 says that nothing was done
// with the request, so it is repeated once with a new token: one that was asked
// for after the first refusal, since a token that was already on its way then
// may have been revoked with the first.
func (t *authorizationTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	var refused time.Time
	for body := req.Body; ; {
		if req.Context().Err() != nil {
			closeBody(body)
			return nil, &transportError{err: ended(req.Context())}
		}
		tok, err := t.tokens.get(req.Context())
		if err != nil {
			closeBody(body)
			return nil, err
		}

		attempt := req.Clone(req.Context())
		attempt.Body = body
		attempt.Header.Set("Authorization", "Bearer "+tok.value)
		resp, err := t.base.RoundTrip(attempt)
		if err != nil || resp.StatusCode != http.StatusUnauthorized {
			return resp, err
		}

		t.tokens.drop(tok)
		if !refused.IsZero() && !tok.requested.Before(refused) {
			return resp, nil
		}
		if refused.IsZero() {
			refused = time.Now()
		}
		if req.GetBody != nil {
			if body, err = req.GetBody(); err != nil {
				_ = resp.Body.Close() // of an answer that is of no use any more
				return nil, fmt.Errorf("cannot repeat the request: %w", err)
			}
		}
		if resp.ContentLength >= 0 && resp.ContentLength <= drainLimit {
			_, _ = io.CopyN(io.Discard, resp.Body, drainLimit) // a failure only costs the connection
		}
		_ = resp.Body.Close() // as above
	}
}
