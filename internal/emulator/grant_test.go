package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestGrant(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config Config
		form   string
		want   string // the answer, with * for the token
	}{
		"all scopes there are": {
			Config{TokenLifetime: time.Hour}, credentials(),
			`{"access_token":"*","token_type":"Bearer","expires_in":3600,"scope":"notifications.write notifications.read"}`,
		},
		"any scope": {
			Config{}, credentials("scope", "other notifications.read"),
			`{"access_token":"*","token_type":"Bearer","scope":"other notifications.read"}`,
		},
		"all configured scopes": {
			Config{Scopes: []string{"a", "b"}}, credentials(),
			`{"access_token":"*","token_type":"Bearer","scope":"a b"}`,
		},
		"one configured scope": {
			Config{Scopes: []string{"a", "b"}}, credentials("scope", "b"),
			`{"access_token":"*","token_type":"Bearer","scope":"b"}`,
		},
		"lifetime rounded up": {
			Config{TokenLifetime: 1500 * time.Millisecond}, credentials("unknown", "ignored"),
			`{"access_token":"*","token_type":"Bearer","expires_in":2,"scope":"notifications.write notifications.read"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, test.config)
			r := h.ask(test.form)
			token, _ := h.members(r)["access_token"].(string)
			if len(token) < 20 {
				t.Errorf("token %q can be guessed", token)
			}
			if got := strings.Replace(r.body, token, "*", 1); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/json" || r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("unexpected status or header: %d %v", r.status, r.header)
			}
			if l := h.e.Ledger(); l.TokenRequests != 1 || l.TokensIssued != 1 {
				t.Errorf("miscounted: %+v", l)
			}
		})
	}
}

func TestGrantsDifferentTokens(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	if a, b := h.token(), h.token(); a == b {
		t.Errorf("two answers hold the same token")
	}
}

func TestGrantRefuses(t *testing.T) {
	t.Parallel()
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for name, test := range map[string]struct {
		query, body string
		header      []string
		status      int
		code        string
	}{
		"Authorization header": {
			body: credentials(), header: append([]string{"Authorization", "Basic eDp5"}, form...),
			status: 401, code: "invalid_client",
		},
		"quote in a scope": {
			body: credentials("scope", `a"b`), header: form, status: 400, code: "invalid_scope",
		},
		"credentials in the query": {query: "?" + credentials(), header: form, status: 400, code: "invalid_request"},
		"query besides the body":   {query: "?scope=a", body: credentials(), header: form, status: 400, code: "invalid_request"},
		"JSON":                     {body: `{}`, header: []string{"Content-Type", "application/json"}, status: 400, code: "invalid_request"},
		"no content type":          {body: credentials(), status: 400, code: "invalid_request"},
		"bad encoding":             {body: credentials() + "&x=%zz", header: form, status: 400, code: "invalid_request"},
		"repeated grant_type":      {body: credentials() + "&grant_type=client_credentials", header: form, status: 400, code: "invalid_request"},
		"repeated unknown":         {body: credentials() + `&"x=1&"x=2`, header: form, status: 400, code: "invalid_request"},
		"empty scope":              {body: credentials("scope", ""), header: form, status: 400, code: "invalid_request"},
		"no grant_type":            {body: credentials("grant_type", ""), header: form, status: 400, code: "invalid_request"},
		"other grant_type":         {body: credentials("grant_type", "password"), header: form, status: 400, code: "unsupported_grant_type"},
		"unknown client":           {body: credentials("client_id", "x"), header: form, status: 401, code: "invalid_client"},
		"wrong secret":             {body: credentials("client_secret", "x"), header: form, status: 401, code: "invalid_client"},
		"empty secret":             {body: credentials("client_secret", ""), header: form, status: 401, code: "invalid_client"},
		"empty body":               {header: form, status: 401, code: "invalid_client"},
		"unknown scope":            {body: credentials("scope", "a c"), header: form, status: 400, code: "invalid_scope"},
		"two spaces":               {body: credentials("scope", "a  b"), header: form, status: 400, code: "invalid_scope"},
		"too large":                {body: credentials("x", strings.Repeat("x", maxBody)), header: form, status: 413, code: "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{Scopes: []string{"a", "b"}})
			r := h.do(http.MethodPost, tokenPath+test.query, test.body, test.header...)
			members := h.members(r)
			if r.status != test.status || members["error"] != test.code {
				t.Errorf("got %d %s, want %d %s", r.status, r.body, test.status, test.code)
			}
			description, _ := members["error_description"].(string)
			if description == "" || strings.ContainsFunc(description, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
				t.Errorf("error_description %q is not as in RFC 6749", description)
			}
			if r.header.Get("Content-Type") != "application/json" || r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("unexpected header: %v", r.header)
			}
			l := h.e.Ledger()
			if l.TokenRequests != 1 || l.TokensIssued != 0 {
				t.Errorf("miscounted: %+v", l)
			}
		})
	}
}

func TestLedgerKeepsNoSecrets(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token("notifications.write")
	h.do(http.MethodPost, tokenPath+"?"+credentials(), credentials(),
		"Authorization", "Basic c2VjcmV0", "Cookie", "session=secret", "Content-Type", "application/x-www-form-urlencoded")
	h.submit(token, minimal)

	text, err := json.Marshal(h.e.Ledger())
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{token, "s3cret", "c2VjcmV0", "session=secret"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the ledger holds %q: %s", secret, text)
		}
	}
	form := h.e.Ledger().Requests[0].Form
	if form == nil || form.GrantType != "client_credentials" || form.Scope != "notifications.write" ||
		strings.Join(form.Parameters, " ") != "client_id client_secret grant_type scope" {
		t.Errorf("the form of the token request is recorded as %+v", form)
	}
}
