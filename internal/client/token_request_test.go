package client

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Each set of scopes has a separate token; no scopes mean those of the Config. One that is due for
// renewal is not given away. A caller may change its scopes afterwards, even if the token is renewed
// later.
func TestScopedTokens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const read, write = "notifications.read", "notifications.write"
		config := testConfig()
		config.Scopes = []string{read, write}
		env := newTestEnv(t, config)
		clear(config.Scopes)
		for range 2 {
			for _, scopes := range [][]string{nil, {read, write}, {}, {write, read}, {write, read}} {
				tok, err := env.client.ObtainAccessToken(t.Context(), scopes)
				if err != nil || len(scopes) > 0 && !slices.Equal(tok.Scopes, scopes) ||
					time.Until(tok.Expires) != time.Hour {
					t.Fatalf("%q: got %+v, %v, want a token for an hour", scopes, tok, err)
				}
				clear(scopes)
			}
			time.Sleep(time.Hour - time.Second)
		}
		var got []string
		for _, request := range env.Ledger().Requests {
			got = append(got, request.Form.Scope)
		}
		want := []string{read + " " + write, write + " " + read}
		if !slices.Equal(got, slices.Repeat(want, 2)) {
			t.Errorf("requests with the scopes %q, want %q, twice", got, want)
		}
	})
}

// Token responses are JSON, whatever their Content-Type. One without a usable token is an error. Of
// a 2xx response, and of one that is not valid HTTP, the error quotes only the message members of
// JSON: any other part may be a token.
func TestTokenResponses(t *testing.T) {
	t.Parallel()
	const (
		noToken     = "the response has no usable access_token"
		notAnObject = "the response is not a JSON object"
		notQuoted   = " (not quoted, since it may hold a token)"
		chunked     = "200\nTransfer-Encoding: chunked\n\n"
		html        = "\nContent-Type: text/html\n\n"
		json        = "200\n\n"
		good        = `{"access_token":"t","token_type":"bearer"}`
	)
	for name, test := range map[string]struct {
		response string
		attempts int
		text     string // part of the error; empty if there is a token
		code     string
	}{
		"text/html":   {"201" + html + "\xef\xbb\xbf" + good, 1, "", ""},
		"BearerToken": {json + `{"access_token":"t","token_type":" Bearer Token"}`, 1, "", ""},
		"no type":     {json + `{"access_token":"t","token_type":null,"scope":" "}`, 1, "", ""},
		"unread members": {
			json + `{"access_token":"t","error_description":[],"refresh_token":false,"id_token":{}}`, 1, "", ""},
		"error false":  {json + `{"access_token":"t","token_type":"","error":false}`, 1, "", ""},
		"error zero":   {json + `{"access_token":"t","token_type":-0,"error":0.0}`, 1, "", ""},
		"error empty":  {json + `{"access_token":"t","token_type":[ ],"error":{ }}`, 1, "", ""},
		"member twice": {json + `{"Access_Token":"canary","token_type":"mac","access_token":"t","TOKEN_TYPE":"Bearer"}`, 1, "", ""},
		"maximum size": {json + good + strings.Repeat(" ", 1<<20-len(good)), 1, "", ""},

		"too large":      {json + strings.Repeat(" ", 1<<20+1), 1, "200 OK: " + wire.ErrTooLarge.Error(), ""},
		"HTML page":      {"200" + html + "<html>canary", 1, "200 OK", ""},
		"HTML page, 201": {"201" + html + "<html>canary", 1, "201 Created: " + notAnObject, ""},
		"redirect":       {"307\nLocation: /elsewhere", 1, "307 Temporary Redirect", ""},
		"forbidden":      {"403", 1, "403 Forbidden", ""},
		"rejected": {"400\n\n" + `{"error":"E1","error_description":"no such scope"}`, 1,
			"400 Bad Request: E1: no such scope", "E1"},
		"rejected, with a token": {"400\n\n" + `{"access_token":"canary`, 1,
			`400 Bad Request: {"access_token":"***`, ""},

		"error with 200": {json + `{"error":"weird","error_description":"no","id_token":"canary"}`, 1,
			"weird: no (", "weird"},
		"error of another form": {json + `{"error":{"code":7,"message":"no grant"},"id_token":"canary"}`, 1,
			"200 OK: no grant (", ""},
		"message without a token": {json + `{"status":"canary","message":"canary"}`, 1,
			"200 OK: " + noToken + "; its members: message, status (", ""},
		"description without a token": {json + `{"error_description":"suspended"}`, 1,
			"200 OK: suspended (", ""},
		"errors without a token": {json + `{"error":0,"errors":[{"detail":"canary"}]}`, 1,
			noToken + "; its members: error, errors (", ""},
		"no members":           {json + `{}`, 1, noToken + "; its members: none (", ""},
		"text without a token": {json + `"canary"`, 1, notAnObject, ""},
		"array":                {json + `[{"access_token":"canary"}]`, 1, notAnObject, ""},
		"form":                 {json + `access_token=canary`, 1, notAnObject, ""},
		"null":                 {json + `null`, 1, notAnObject, ""},
		"error that repeats the token": {
			json + `{"access_token":"canary","error":"E1","error_description":"issued canary"}`, 1,
			"E1: issued ***", "E1"},
		"rejected, and repeats the token": {
			"403\n\n" + `{"access_token":"canary","error":"E1","error_description":"issued canary"}`, 1,
			"E1: issued ***", "E1"},
		"error without a message": {json + `{"error":true,"access_token":"canary"}`, 1,
			noToken + "; its members: access_token, error (", ""},
		"number as token": {json + `{"access_token":5}`, 1,
			noToken + "; its members: access_token (", ""},
		"type not a text": {json + `{"access_token":"canary","token_type":["Bearer"]}`, 1,
			`of type "[\"Bearer\"]"`, ""},
		"DPoP": {json + `{"access_token":"canary","token_type":"DPoP"}`, 1, `of type "DPoP"`, ""},
		"secret in an error": {
			json + `{"error":"` + testSecret + `","error_description":"` + testSecret + ` is wrong"}`, 1,
			"*** is wrong", "***"},
		"token and error": {
			json + `{"error":"invalid_scope","access_token":"t","error_description":"\n"}`, 1,
			"invalid_scope", "invalid_scope"},
		"token in the type": {json + `{"access_token":"canary","token_type":"canary"}`, 1,
			`of type "***"`, ""},
		"not for a header": {json + `{"access_token":"t\nX-Evil: 1"}`, 1, "a header cannot carry", ""},

		"status 000": {"000 canary", 5, "malformed HTTP status code" + notQuoted, ""},
		"header line": {"200 OK\naccess_token=canary", 5,
			"malformed MIME header: missing colon" + notQuoted, ""},
		"trailer": {chunked + "1\r\n{\r\n0\r\ncanary\r\n\r\n", 5,
			"malformed MIME header: missing colon" + notQuoted, ""},
	} {
		inBubble(t, name, func(t *testing.T) {
			log := new(bytes.Buffer)
			c, service := newClient(t, testConfig(), slices.Repeat([]string{test.response}, 5)...)
			tok, err := c.ObtainAccessToken(tflogtest.RootLogger(t.Context(), log), nil)
			if test.text == "" {
				if err != nil || tok.Value != "t" || !tok.Expires.IsZero() || tok.Scopes != nil {
					t.Errorf("%+v, %v", tok, err)
				}
				return
			}
			failed, text := asError(t, err), err.Error()
			if failed.Operation != ObtainAccessToken || failed.Ambiguous || failed.Time.IsZero() ||
				failed.ID.Request == "" || failed.Attempts != test.attempts ||
				failed.Code.String() != test.code || len(service.requests) != test.attempts {
				t.Errorf("got %+v, want %+v", *failed, test)
			}
			if !strings.Contains(text, test.text) || strings.ContainsAny(text, "\r\n") {
				t.Errorf("%q, want %q", text, test.text)
			}
			shown := c.secrets.Quote("a canary").String() // the client has no such secret
			if strings.Contains(text+log.String(), "canary") || shown != "a canary" {
				t.Errorf("the token is in %q, or in %s, or in %q", text, log, shown)
			}
		})
	}
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
		`{"access_token":"token","expires_in":60,"scope":""}`:    {minute, "wanted", false},
		`{"access_token":"token"}`:                               {0, "wanted", false},
		`{"access_token":"token","scope":["a","b c"]}`:           {0, "a b c", false},
		`{"access_token":"token","scope":[]}`:                    {0, "wanted", false},
		`{"access_token":"token","scope":null}`:                  {0, "wanted", false},
		`{"access_token":"token","scope":{}}`:                    {0, "", false},
		`{"access_token":"token","scope":[1]}`:                   {0, "", false},
		`{"access_token":"token","scope":false}`:                 {0, "", false},
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
			c := newTokenCache(&tokenServer{body: body, latency: time.Second})
			c.scopes = []string{"wanted"}
			sent, lines := time.Now(), new(bytes.Buffer)
			tok, err := c.get(tflogtest.RootLogger(t.Context(), lines))
			if err != nil || tok.Value != "token" || strings.Join(tok.Scopes, " ") != test.scopes {
				t.Fatalf("%s: %+v, %v", body, tok, err)
			}
			got, quoted := max(tok.Expires.Sub(sent), 0), c.source.request.Secrets.Quote("a token").String()
			if got != test.lifetime || tok.Expires.IsZero() != (test.lifetime == 0) ||
				test.logged != (lines.Len() > 0) || quoted != "a ***" {
				t.Errorf("%s: expires %s after it was sent, is quoted as %q, log %s", body, got, quoted, lines)
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
			sent = time.Now()
			tok, err = newTokenCache(&tokenServer{body: string(body)}).get(t.Context())
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
