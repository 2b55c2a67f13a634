package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// Other scopes have tokens of their own, one for each set of them.
func TestScopedTokens(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		values := make(map[string]bool)
		const read, write = "notifications.read", "notifications.write"
		for _, scopes := range [][]string{nil, {read}, {write}, {}, {read}} {
			tok, err := w.client.AccessToken(t.Context(), scopes)
			if err != nil || len(scopes) > 0 && !slices.Equal(tok.Scopes, scopes) ||
				time.Until(tok.Expires) != time.Hour {
				t.Errorf("%+v, %v", tok, err)
				continue
			}
			values[tok.Value] = true
		}
		if len(values) != 3 || w.Ledger().TokenRequests != 3 {
			t.Errorf("%d tokens of %d requests", len(values), w.Ledger().TokenRequests)
		}
	})
}

// Token answers are JSON whatever they are called. Of one that succeeded nothing else is quoted: it
// may be a token.
func TestTokenAnswers(t *testing.T) {
	t.Parallel()
	const good = `{"access_token":"t","token_type":"bearer"}`
	const notAToken = "not a token response (RFC 6749, section 5.1)"
	for name, test := range map[string]struct {
		status                     int
		contentType, body, wantErr string
	}{
		"JSON called a form": {200, "application/x-www-form-urlencoded", good, ""},
		"JSON called HTML":   {201, "text/html", "\xef\xbb\xbf" + good, ""},
		"largest":            {200, "", good + strings.Repeat(" ", 1<<20-len(good)), ""},
		"too large": {200, "", good + strings.Repeat(" ", 1<<20-len(good)+1),
			"200 OK: the response is larger than this provider reads"},
		"HTML":          {200, "text/html", `<html>canary`, "200 OK"},
		"HTML with 201": {201, "text/html", `<html>canary`, "201 Created: " + notAToken},
		"error": {400, "", `{"error":"E1","error_description":"no such scope"}`,
			"400 Bad Request: E1: no such scope"},
		"redirect":       {307, "", ``, "307 Temporary Redirect"},
		"in broken JSON": {400, "", `{"access_token":"canary",}`, `{"access_token":"***",}`},
		"broken off":     {400, "", `{"access_token":"canary`, `400 Bad Request: {"access_token":"***`},
		"nginx": {400, "text/html", "<html>\r\n<head><title>400 No required SSL certificate was sent" +
			"</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>",
			"400 Bad Request: 400 No required SSL certificate was sent 400 Bad Request ("},
	} {
		inBubble(t, name, func(t *testing.T) {
			var requests atomic.Int32
			c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				if r.URL.Path != "/oauth2/token" {
					t.Errorf("the client secret went to %s", r.URL)
				}
				w.Header().Set("Content-Type", test.contentType)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
				_, _ = fmt.Fprint(w, test.body)
			}, nil)
			tok, err := c.AccessToken(t.Context(), nil)
			if requests.Load() != 1 {
				t.Errorf("%d requests", requests.Load())
			}
			if test.wantErr == "" {
				if err != nil || tok.Value != "t" || !tok.Expires.IsZero() {
					t.Errorf("%+v, %v", tok, err)
				}
				return
			}
			failed := failure(t, err)
			if failed.Operation != FetchToken || failed.Ambiguous ||
				failed.Status != test.status || failed.Time.IsZero() ||
				failed.Attempts != 1 ||
				(failed.Code.String() == "E1") != strings.Contains(test.wantErr, "E1: ") ||
				strings.Contains(err.Error(), "canary") ||
				!strings.Contains(err.Error(), test.wantErr) {
				t.Errorf("got %v, want %q", err, test.wantErr)
			}
		})
	}
}

// Of a response that is not HTTP nothing is quoted, in no error and in no log: it may be the token.
func TestTokenResponseNotHTTP(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\n"
	for raw, want := range map[string]string{
		`{"access_token":"canary"}` + "\r\n\r\n":                               "malformed HTTP response",
		ok + `{"access_token" "canary"}` + "\r\n\r\n":                          "malformed MIME header: missing colon",
		ok + "access_token=canary\r\n\r\n":                                     "malformed MIME header: missing colon",
		ok + "Content-Length: canary\r\n\r\n":                                  "bad Content-Length",
		ok + "Transfer-Encoding: canary\r\n\r\n":                               "unsupported transfer encoding",
		ok + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\ncanary\r\n\r\n": "malformed MIME header: missing colon",
		"HTTP/1.1 canary\r\n\r\n":                                              "malformed HTTP status code",
	} {
		inBubble(t, raw, func(t *testing.T) {
			c := scriptedClient(t, func(w http.ResponseWriter, _ *http.Request) {
				_ = rawResponse(w, raw).Close()
			}, nil)
			ctx, log := logging(t)
			_, err := c.AccessToken(ctx, nil)
			failed := failure(t, err)
			if strings.Contains(err.Error()+log.String(), "canary") || failed.Attempts != 5 ||
				!strings.Contains(err.Error(), want+" (not quoted, since it may hold a token)") {
				t.Errorf("%v, %s", err, log)
			}
		})
	}
}

// cannedAnswer answers each request with status 200 after a second.
type cannedAnswer string

func (a cannedAnswer) Send(_ context.Context, request wire.Request) *wire.Attempt {
	time.Sleep(time.Second)
	return &wire.Attempt{
		URL: request.URL, Status: http.StatusOK, Body: []byte(a), Sent: time.Now(),
		ID: wire.ID{Request: "00f067aa0ba902b7"},
	}
}

// issuerOf is an issuer whose requests a answers.
func issuerOf(a cannedAnswer) *issuer {
	return newIssuer(&retrier{next: a}, testConfig(testHost), new(redact.Secrets).With(testSecret))
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
			issuer := issuerOf(cannedAnswer(body))
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
			issuer := issuerOf(cannedAnswer(body))
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
			tok, err = issuerOf(cannedAnswer(body)).Issue(t.Context(), nil)
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
