package token

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"terraform-provider-notification/internal/client/wire"
)

var address = &url.URL{Scheme: "http", Host: "notifications.test", Path: "/oauth2/token"}

// answering sends nothing and answers with body after a second of retries.
func answering(body string) SendFunc {
	return func(context.Context, wire.Request) (*wire.Attempt, error) {
		time.Sleep(time.Second)
		return &wire.Attempt{Body: []byte(body), Sent: time.Now(), ID: testID}, nil
	}
}

var testID = wire.ID{Request: "00f067aa0ba902b7"}

func TestRequest(t *testing.T) {
	t.Parallel()
	const form = "client_id=id&client_secret=canary-secret&grant_type=client_credentials"
	for _, test := range []struct {
		scopes []string
		want   string
	}{
		{nil, form},
		{[]string{"b", "a"}, form + "&scope=b+a"},
	} {
		var got wire.Request
		issuer := newIssuer(func(_ context.Context, request wire.Request) (*wire.Attempt, error) {
			got = request
			return nil, errDown
		})
		_, err := issuer.issue(t.Context(), test.scopes)
		if !errors.Is(err, errDown) || string(got.Body) != test.want {
			t.Errorf("%s, %v", got.Body, err)
		}
		const contentType = "application/x-www-form-urlencoded"
		if got.Method != http.MethodPost || got.URL.String() != address.String() ||
			got.Header.Get("Content-Type") != contentType || got.Header.Get("Authorization") != "" {
			t.Errorf("%s %s with %v", got.Method, got.URL, got.Header)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const minute = time.Minute
	for body, test := range map[string]struct {
		lifetime time.Duration
		scopes   string
	}{
		`{"access_token":"token","token_type":"Bearer","expires_in":60,"scope":"a b"}`: {minute, "a b"},
		`{"access_token":"token","token_type":"bearer","expires_in":60,"scope":""}`:    {minute, ""},
		`{"access_token":"token"}`:                             {0, "wanted"},
		`{"access_token":"token","scope":["a"]}`:               {0, "wanted"},
		`{"access_token":"token","expires_in":"60"}`:           {minute, "wanted"},
		`{"access_token":"token","expires_in":3600.0}`:         {time.Hour, "wanted"},
		`{"access_token":"token","expires_in":1e3}`:            {1000 * time.Second, "wanted"},
		`{"access_token":"token","expires_in":"0.5"}`:          {500 * time.Millisecond, "wanted"},
		`{"access_token":"token","EXPIRES_IN":2.5}`:            {2500 * time.Millisecond, "wanted"},
		`{"access_token":"token","expires_in":1e300}`:          {longestLifetime, "wanted"},
		`{"access_token":"token","expires_in":1e999}`:          {0, "wanted"},
		`{"access_token":"token","expires_in":"soon"}`:         {0, "wanted"},
		`{"access_token":"token","expires_in":""}`:             {0, "wanted"},
		`{"access_token":"token","expires_in":"0x10"}`:         {0, "wanted"},
		`{"access_token":"token","expires_in":null}`:           {0, "wanted"},
		`{"access_token":"token","expires_in":{"seconds":60}}`: {0, "wanted"},
		`{"access_token":"token","expires_in":0}`:              {0, "wanted"},
		`{"access_token":"token","expires_in":-60}`:            {0, "wanted"},
	} {
		synctest.Test(t, func(t *testing.T) {
			issuer := newIssuer(answering(body))
			began := time.Now()
			var lines bytes.Buffer
			tok, err := issuer.issue(tflogtest.RootLogger(t.Context(), &lines), []string{"wanted"})
			if err != nil || tok.Value != "token" || strings.Join(tok.Scopes, " ") != test.scopes {
				t.Fatalf("%s: %+v, %v", body, tok, err)
			}
			if got := max(tok.lifetime(), 0); got != test.lifetime ||
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

func TestAnswersOfNoUse(t *testing.T) {
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
		`{"error":"canary-secret","error_description":"canary-secret is wrong"}`: {
			"*** is wrong", "***", false,
		},
		`{"error":"invalid_scope","access_token":"t","error_description":"\n"}`: {
			"invalid_scope", "invalid_scope", false,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			issuer := newIssuer(answering(body))
			_, err := issuer.issue(t.Context(), nil)
			if secrets := issuer.secrets.All(); len(secrets) != 1 {
				t.Errorf("%s: the client learned %q", body, secrets)
			}
			failed, ok := errors.AsType[*Error](err)
			if !ok || !strings.Contains(err.Error(), test.text) ||
				failed.Code.String() != test.code || failed.ID != testID ||
				errors.Is(err, ErrNotBearer) != test.notBearer ||
				strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("%s: %+v", body, failed)
			}
		})
	}
}

// Whatever a token endpoint answers, there is a token that a header can carry or an error without
// the secret.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"access_token":"t","token_type":"Bearer","expires_in":60}`))
	f.Add([]byte(`{"access_token":"canary-secret","token_type":"mac","expires_in":-1}`))
	f.Add([]byte(`{"error":"canary-secret"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		tok, err := newIssuer(func(context.Context, wire.Request) (*wire.Attempt, error) {
			return &wire.Attempt{Body: body}, nil
		}).issue(t.Context(), nil)
		if err != nil {
			if text := err.Error(); strings.Contains(text, "canary-secret") ||
				!utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
			return
		}
		if tok.Value == "" || strings.ContainsAny(tok.Value, "\r\n") ||
			tok.lifetime() > 0 == tok.Expires.IsZero() {
			t.Errorf("%+v", tok)
		}
	})
}
