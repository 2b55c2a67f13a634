package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/wire"
)

// Each set of scopes has a separate token.
func TestScopedTokens(t *testing.T) {
	withTestEnv(t, nil, func(t *testing.T, env *testEnv) {
		values := make(map[string]bool)
		const read, write = "notifications.read", "notifications.write"
		for _, scopes := range [][]string{nil, {read}, {write}, {}, {read}} {
			tok, err := env.client.AccessToken(t.Context(), scopes)
			if err != nil || len(scopes) > 0 && !slices.Equal(tok.Scopes, scopes) ||
				time.Until(tok.Expires) != time.Hour {
				t.Errorf("%q: got %+v, %v, want a token for an hour", scopes, tok, err)
				continue
			}
			values[tok.Value] = true
		}
		if len(values) != 3 || env.Ledger().TokenRequests != 3 {
			t.Errorf("%d tokens from %d requests, want 3", len(values), env.Ledger().TokenRequests)
		}
	})
}

// Token responses are JSON, whatever their Content-Type. One without a usable token is an error. Of
// a 2xx response, and of one that is not valid HTTP, the error quotes only the message members of
// JSON: any other part may be a token.
func TestTokenResponses(t *testing.T) {
	t.Parallel()
	const (
		notAToken = "not a token response as in RFC 6749, section 5.1"
		notQuoted = " (not quoted, since it may hold a token)"
		chunked   = "200\nTransfer-Encoding: chunked\n\n"
		html      = "\nContent-Type: text/html\n\n"
		good      = `{"access_token":"t","token_type":"bearer"}`
	)
	for _, test := range []struct {
		response  string
		attempts  int
		text      string // part of the error; empty if there is a token
		code      string
		notBearer bool
	}{
		{"200\nContent-Type: application/x-www-form-urlencoded\n\n" + good, 1, "", "", false},
		{"201" + html + "\xef\xbb\xbf" + good, 1, "", "", false},
		{"200\n\n" + good + strings.Repeat(" ", 1<<20-len(good)), 1, "", "", false}, // the maximum size

		{"200\n\n" + strings.Repeat(" ", 1<<20+1), 1, "200 OK: " + wire.ErrTooLarge.Error(), "", false},
		{"200" + html + "<html>canary", 1, "200 OK", "", false},
		{"201" + html + "<html>canary", 1, "201 Created: " + notAToken, "", false},
		{"307\nLocation: /elsewhere", 1, "307 Temporary Redirect", "", false}, // not followed
		{"400\n\n" + `{"error":"E1","error_description":"no such scope"}`, 1,
			"400 Bad Request: E1: no such scope", "E1", false},
		{"400\n\n" + `{"access_token":"canary`, 1, `400 Bad Request: {"access_token":"***`, "", false},
		{"400" + html + "<html>\r\n<head><title>400 No required SSL certificate was sent" + // nginx
			"</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>", 1,
			"400 Bad Request: 400 No required SSL certificate was sent 400 Bad Request (", "", false},

		{"200\n\n" + `{"access_token":"t","token_type":"mac"}`, 1,
			`the token is of type "mac"; only Bearer tokens can be used`, "", true},
		{"200\n\n" + `{"access_token":"canary","token_type":"canary"}`, 1, `of type "***"`, "", true},
		{"200\n\n" + `{"error":"weird","error_description":"no","id_token":"canary"}`, 1,
			"weird: no (", "weird", false},
		{"200\n\n" + `{"error":"` + testSecret + `","error_description":"` + testSecret + ` is wrong"}`,
			1, "*** is wrong", "***", false},
		{"200\n\n" + `{"error":"invalid_scope","access_token":"t","error_description":"\n"}`, 1,
			"invalid_scope", "invalid_scope", false},
		{"200\n\n" + `{"token_type":"Bearer"}`, 1,
			"as in RFC 6749, section 5.1 (server response missing access_token)", "", false},
		{"200\n\n", 1, notAToken, "", false},
		{"200\n\n" + `{"access_token":"t\nX-Evil: 1"}`, 1, "a header cannot carry", "", false},

		{"canary", 5, "malformed HTTP status code" + notQuoted, "", false},
		{"000 canary", 5, "malformed HTTP status code" + notQuoted, "", false},
		{"200 OK\naccess_token=canary", 5, "malformed MIME header: missing colon" + notQuoted, "", false},
		{"200 OK\nTransfer-Encoding: canary", 5, "unsupported transfer encoding" + notQuoted, "", false},
		{chunked + "1\r\n{\r\n0\r\ncanary\r\n\r\n", 5,
			"malformed MIME header: missing colon" + notQuoted, "", false},
	} {
		inBubble(t, fmt.Sprintf("%.60q", test.response), func(t *testing.T) {
			service := &scriptedService{responses: slices.Repeat([]string{test.response}, 5)}
			c := scriptedClient(t, service, nil)
			ctx, log := captureLog(t)
			tok, err := c.AccessToken(ctx, nil)
			if test.text == "" {
				if err != nil || tok.Value != "t" || !tok.Expires.IsZero() {
					t.Errorf("%+v, %v", tok, err)
				}
				return
			}
			failed := asError(t, err)
			if failed.Operation != FetchToken || failed.Ambiguous || failed.Time.IsZero() ||
				failed.Attempts != test.attempts || failed.ID.Request == "" ||
				failed.Code.String() != test.code || (failed.Reason == NotBearer) != test.notBearer {
				t.Errorf("%+v, want %d attempts and the code %q", *failed, test.attempts, test.code)
			}
			if text := err.Error(); !strings.Contains(text, test.text) ||
				strings.ContainsAny(text, "\r\n") || strings.Contains(text+log.String(), "canary") {
				t.Errorf("%q, want %q; %s", text, test.text, log)
			}
			if got := c.secrets.Quote("a canary").String(); got != "a canary" {
				t.Errorf("the client has the secret %q", got)
			}
			for _, r := range service.requests {
				if r.URL.Path != "/oauth2/token" {
					t.Errorf("the client secret went to %s", r.URL)
				}
			}
			if len(service.requests) != test.attempts {
				t.Errorf("%d requests, want %d", len(service.requests), test.attempts)
			}
		})
	}
}

// An unusable token response after retries counts all attempts.
func TestAttemptsBeforeUnusableToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, &scriptedService{responses: []string{
			"500", "500", "200\n\n" + `{"access_token":"t","token_type":"mac"}`,
		}}, nil)
		_, err := c.AccessToken(t.Context(), nil)
		if failed := asError(t, err); failed.Attempts != 3 || failed.Reason != NotBearer {
			t.Errorf("%+v, want 3 attempts", failed)
		}
	})
}

// cannedResponse is a sender that sends each request after a second, and responds to it with status
// 200 after another.
type cannedResponse string

func (a cannedResponse) Send(_ context.Context, request wire.Request) *wire.Attempt {
	time.Sleep(time.Second)
	sent := time.Now()
	time.Sleep(time.Second)
	return &wire.Attempt{
		URL: request.URL, Status: http.StatusOK, Body: []byte(a), Sent: sent,
		ID: wire.ID{Request: "00f067aa0ba902b7"},
	}
}

// cannedIssuer returns an issuer whose requests get the response a.
func cannedIssuer(a cannedResponse) *issuer {
	return newIssuer(&retrier{next: a}, testConfig(), new(redact.Secrets).With(testSecret))
}

// A token has the lifetime and the scopes in the response, or else the requested scopes.
func TestLifetimeAndScopes(t *testing.T) {
	t.Parallel()
	const minute, ms = time.Minute, time.Millisecond
	for body, test := range map[string]struct {
		lifetime time.Duration
		scopes   string
		logged   bool // whether the invalid lifetime is logged
	}{
		`{"access_token":"token","expires_in":60,"scope":"a b"}`: {minute, "a b", false},
		`{"access_token":"token","expires_in":60,"scope":""}`:    {minute, "", false},
		`{"access_token":"token"}`:                               {0, "wanted", false},
		`{"access_token":"token","scope":["a"]}`:                 {0, "wanted", false},
		`{"access_token":"token","expires_in":"0.5"}`:            {500 * ms, "wanted", false},
		`{"access_token":"token","EXPIRES_IN":2.5}`:              {2500 * ms, "wanted", false},
		`{"access_token":"token","expires_in":1e300}`:            {longestLifetime, "wanted", false},
		`{"access_token":"token","expires_in":1e999}`:            {0, "wanted", true},
		`{"access_token":"token","expires_in":"soon"}`:           {0, "wanted", true},
		`{"access_token":"token","expires_in":null}`:             {0, "wanted", true},
		`{"access_token":"token","expires_in":0}`:                {0, "wanted", true},
		`{"access_token":"token","expires_in":-60}`:              {0, "wanted", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			issuer := cannedIssuer(cannedResponse(body))
			began := time.Now()
			ctx, lines := captureLog(t)
			tok, err := issuer.issue(ctx, []string{"wanted"})
			if err != nil || tok.Value != "token" || strings.Join(tok.Scopes, " ") != test.scopes {
				t.Fatalf("%s: %+v, %v", body, tok, err)
			}
			sent := began.Add(time.Second)
			if got := max(tok.Expires.Sub(sent), 0); got != test.lifetime ||
				tok.Expires.IsZero() != (test.lifetime == 0) {
				t.Errorf("%s: expires %s after it was sent, want %s", body, got, test.lifetime)
			}
			if test.logged != (lines.Len() > 0) {
				t.Errorf("%s: logged %s", body, lines.String())
			}
			if got := issuer.request.Secrets.Quote("a token").String(); got != "a ***" {
				t.Errorf("the token is shown: %q", got)
			}
		})
	}
}

// Any token response results in a token that a header can carry, or in an error without the client
// secret.
func FuzzTokenResponse(f *testing.F) {
	f.Add([]byte(`{"access_token":"t","token_type":"Bearer","expires_in":60}`))
	f.Add([]byte(`{"access_token":"canary-client-secret","token_type":"mac","expires_in":-1}`))
	f.Add([]byte(`{"error":"canary-client-secret"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var tok *Token
		var err error
		var sent time.Time
		synctest.Test(t, func(t *testing.T) {
			sent = time.Now().Add(time.Second)
			tok, err = cannedIssuer(cannedResponse(body)).issue(t.Context(), nil)
		})
		if err != nil {
			if text := err.Error(); strings.Contains(text, "canary-client-secret") ||
				!utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
			return
		}
		if tok.Value == "" || strings.ContainsAny(tok.Value, "\r\n") ||
			tok.Expires.After(sent) == tok.Expires.IsZero() {
			t.Errorf("%+v", tok)
		}
	})
}
