package emulator

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestGrant(t *testing.T) {
	t.Parallel()
	const both = `"scope":"notifications.write notifications.read"}`
	for name, test := range map[string]struct {
		config Config
		form   string
		want   string // the response, with * for the token
	}{
		"all scopes there are": {
			Config{TokenLifetime: time.Hour}, credentials(),
			`{"access_token":"*","token_type":"Bearer","expires_in":3600,` + both,
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
			`{"access_token":"*","token_type":"Bearer","expires_in":2,` + both,
		},
	} {
		h := newHarness(t, test.config)
		r := h.ask(test.form)
		token, _ := h.members(r)["access_token"].(string)
		if len(token) < 20 {
			t.Errorf("%s: token %q can be guessed", name, token)
		}
		if got := strings.Replace(r.body, token, "*", 1); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, test.want)
		}
		if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/json" ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("unexpected status or header: %d %v", r.status, r.header)
		}
		if l := h.e.Ledger(); l.TokenRequests != 1 || l.Requests[0].Status != http.StatusOK {
			t.Errorf("miscounted: %+v", l)
		}
	}
}

func TestGrantRefuses(t *testing.T) {
	t.Parallel()
	form, jsonBody := []string{"Content-Type", formType}, []string{"Content-Type", "application/json"}
	const invalid, unsupported = "invalid_request", "unsupported_grant_type"
	large := strings.Repeat("x", maxBody)
	more := credentials() + "&"
	for name, test := range map[string]struct {
		query, body string
		header      []string
		status      int
		code        string
	}{
		"Authorization header": {
			"", credentials(), append([]string{"Authorization", "Basic eDp5"}, form...),
			401, "invalid_client",
		},
		"quote in a scope":       {"", credentials("scope", `a"b`), form, 400, "invalid_scope"},
		"query besides the body": {"?scope=a", credentials(), form, 400, invalid},
		"JSON":                   {"", `{}`, jsonBody, 400, invalid},
		"bad encoding":           {"", more + "x=%zz", form, 400, invalid},
		"repeated parameter":     {"", more + `"x=1&"x=2`, form, 400, invalid},
		"empty scope":            {"", credentials("scope", ""), form, 400, invalid},
		"no grant_type":          {"", credentials("grant_type", ""), form, 400, invalid},
		"other grant_type":       {"", credentials("grant_type", "password"), form, 400, unsupported},
		"unknown client":         {"", credentials("client_id", "x"), form, 401, "invalid_client"},
		"wrong secret":           {"", credentials("client_secret", "x"), form, 401, "invalid_client"},
		"empty body":             {"", "", form, 401, "invalid_client"},
		"unknown scope":          {"", credentials("scope", "a c"), form, 400, "invalid_scope"},
		"too large":              {"", credentials("x", large), form, 413, invalid},
	} {
		h := newHarness(t, Config{Scopes: []string{"a", "b"}})
		r := h.do(http.MethodPost, tokenPath+test.query, test.body, test.header...)
		members := h.members(r)
		if r.status != test.status || members["error"] != test.code {
			t.Errorf("%s: got %d %s, want %d %s", name, r.status, r.body, test.status, test.code)
		}
		description, _ := members["error_description"].(string)
		outside := func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }
		if description == "" || strings.ContainsFunc(description, outside) {
			t.Errorf("error_description %q is not as in RFC 6749", description)
		}
		if r.header.Get("Content-Type") != "application/json" ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("unexpected header: %v", r.header)
		}
		l := h.e.Ledger()
		if l.TokenRequests != 1 || l.Requests[0].Status != test.status {
			t.Errorf("miscounted: %+v", l)
		}
	}
}
