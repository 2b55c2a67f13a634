package client

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// cannedAnswer answers each request after a second, and keeps the last.
type cannedAnswer struct {
	status  int
	body    string
	request wire.Request
}

func (a *cannedAnswer) Send(_ context.Context, request wire.Request) *wire.Attempt {
	time.Sleep(time.Second)
	a.request = request
	return &wire.Attempt{
		URL: request.URL, Status: a.status, Body: []byte(a.body), Sent: time.Now(),
		ID: wire.ID{Request: "00f067aa0ba902b7"},
	}
}

// issuerOf is an issuer whose requests a answers.
func issuerOf(a *cannedAnswer) *issuer {
	at := mustParse(testHost + "/oauth2/token")
	secrets := new(redact.Secrets).With(testSecret)
	return newIssuer(&retrier{next: a}, at, "id", testSecret, "test", secrets)
}

func TestTokensOfAnswers(t *testing.T) {
	t.Parallel()
	const minute = time.Minute
	for body, test := range map[string]struct {
		lifetime time.Duration
		scopes   string
	}{
		`{"access_token":"token","token_type":"Bearer","expires_in":60,"scope":"a b"}`: {minute, "a b"},
		`{"access_token":"token","token_type":"bearer","expires_in":60,"scope":""}`:    {minute, ""},
		`{"access_token":"token"}`:                     {0, "wanted"},
		`{"access_token":"token","scope":["a"]}`:       {0, "wanted"},
		`{"access_token":"token","expires_in":"60"}`:   {minute, "wanted"},
		`{"access_token":"token","expires_in":3600.0}`: {time.Hour, "wanted"},
		`{"access_token":"token","expires_in":"0.5"}`:  {500 * time.Millisecond, "wanted"},
		`{"access_token":"token","EXPIRES_IN":2.5}`:    {2500 * time.Millisecond, "wanted"},
		`{"access_token":"token","expires_in":1e300}`:  {longestLifetime, "wanted"},
		`{"access_token":"token","expires_in":1e999}`:  {0, "wanted"},
		`{"access_token":"token","expires_in":"soon"}`: {0, "wanted"},
		`{"access_token":"token","expires_in":"0x10"}`: {0, "wanted"},
		`{"access_token":"token","expires_in":null}`:   {0, "wanted"},
		`{"access_token":"token","expires_in":0}`:      {0, "wanted"},
		`{"access_token":"token","expires_in":-60}`:    {0, "wanted"},
	} {
		synctest.Test(t, func(t *testing.T) {
			issuer := issuerOf(&cannedAnswer{status: http.StatusOK, body: body})
			began := time.Now()
			ctx, lines := logging(t)
			tok, err := issuer.Issue(ctx, []string{"wanted"})
			if err != nil || tok.Value != "token" || strings.Join(tok.Scopes, " ") != test.scopes {
				t.Fatalf("%s: %+v, %v", body, tok, err)
			}
			if got := max(tok.Expires.Sub(tok.Requested), 0); got != test.lifetime ||
				tok.Requested.Sub(began) != time.Second {
				t.Errorf("%s: lifetime %s from %s on", body, got, tok.Requested.Sub(began))
			}
			odd := strings.Contains(body, "expires_in") && test.lifetime == 0
			if odd != (lines.Len() > 0) {
				t.Errorf("%s: logged %s", body, lines.String())
			}
			if !slices.Contains(issuer.secrets.All(), "token") {
				t.Error("the token is no secret")
			}
		})
	}
}

func TestAnswersWithoutAToken(t *testing.T) {
	t.Parallel()
	for body, test := range map[string]struct {
		text, code string
		notBearer  bool
	}{
		`{"access_token":"t","token_type":"mac"}`: {
			`the token is of type "mac"; only Bearer tokens can be used`, "", true,
		},
		`{"access_token":"wxyz","token_type":"wxyz"}`: {`of type "***"`, "", true},
		`{"error":"weird","error_description":"got wxyz","id_token":"wxyz"}`: {
			"weird: got ***", "weird", false,
		},
		`{"token_type":"Bearer"}`: {
			"(RFC 6749, section 5.1): server response missing access_token", "", false,
		},
		``:                                {"not a token response", "", false},
		`access_token=t`:                  {"not a token response", "", false},
		`{"access_token":5}`:              {"not a token response", "", false},
		`null`:                            {"not a token response", "", false},
		`{"access_token":"t\nX-Evil: 1"}`: {"a header cannot carry", "", false},
		`{"error":"invalid_client","error_description":"unknown"}`: {
			"invalid_client: unknown", "invalid_client", false,
		},
		`{"error":"canary-client-secret","error_description":"canary-client-secret is wrong"}`: {
			"*** is wrong", "***", false,
		},
		`{"error":"invalid_scope","access_token":"t","error_description":"\n"}`: {
			"invalid_scope", "invalid_scope", false,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			issuer := issuerOf(&cannedAnswer{status: http.StatusOK, body: body})
			_, err := issuer.Issue(t.Context(), nil)
			if secrets := issuer.secrets.All(); len(secrets) != 1 {
				t.Errorf("%s: the client learned %q", body, secrets)
			}
			failed := failure(t, err)
			if !strings.Contains(err.Error(), test.text) ||
				failed.Code.String() != test.code || failed.ID.Request != "00f067aa0ba902b7" ||
				failed.NotBearer() != test.notBearer ||
				strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("%s: %+v", body, failed)
			}
		})
	}
}

// Whatever a token endpoint answers, there is a token that a header can carry or an error without
// the secret.
func FuzzTokenAnswer(f *testing.F) {
	f.Add([]byte(`{"access_token":"t","token_type":"Bearer","expires_in":60}`))
	f.Add([]byte(`{"access_token":"canary-client-secret","token_type":"mac","expires_in":-1}`))
	f.Add([]byte(`{"error":"canary-client-secret"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var tok *token.Token
		var err error
		synctest.Test(t, func(t *testing.T) {
			canned := &cannedAnswer{status: http.StatusOK, body: string(body)}
			tok, err = issuerOf(canned).Issue(t.Context(), nil)
		})
		if err != nil {
			if text := err.Error(); strings.Contains(text, "canary-client-secret") ||
				!utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
			return
		}
		if tok.Value == "" || strings.ContainsAny(tok.Value, "\r\n") ||
			tok.Expires.Sub(tok.Requested) > 0 == tok.Expires.IsZero() {
			t.Errorf("%+v", tok)
		}
	})
}
