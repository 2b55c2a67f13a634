package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAuthorizationRejects(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	good := h.token()
	for name, test := range map[string]struct {
		header []string
		want   string
	}{
		"no header": {nil, "missing"},
		"two headers": {
			[]string{"Authorization", "Bearer " + good, "Authorization", "Bearer " + good},
			"more than one",
		},
		"another scheme":  {[]string{"Authorization", "Basic " + good}, "bearer"},
		"only the scheme": {[]string{"Authorization", "Bearer"}, "bearer"},
		"unknown token":   {[]string{"Authorization", "Bearer " + good + "x"}, "unknown"},
	} {
		for _, r := range []result{
			h.do(http.MethodPost, submissionPath, minimal,
				append(test.header, "Content-Type", "application/json")...),
			h.do(http.MethodGet, studiesPath+"?name=ATLAS", "", test.header...),
		} {
			h.wantProblem(r, http.StatusUnauthorized, test.want)
			got := r.header.Get("WWW-Authenticate")
			if !strings.HasPrefix(got, `Bearer error="invalid_token"`) {
				t.Errorf("%s: WWW-Authenticate is %q", name, got)
			}
		}
	}
	if n := len(h.e.Ledger().Submissions); n != 0 {
		t.Errorf("%d submissions were recorded", n)
	}
}

func TestAuthorizationAcceptsAnyCaseOfBearer(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	r := h.do(http.MethodGet, studiesPath+"?name=ATLAS", "", "Authorization", "bearer "+h.token())
	if r.status != http.StatusOK {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	reader, writer := h.token(scopeRead), h.token(scopeWrite)
	for _, rejected := range []struct {
		result result
		scope  string
	}{
		{h.submit(reader, minimal), scopeWrite},
		{h.lookUp(writer, "?name=ATLAS"), scopeRead},
	} {
		h.wantProblem(rejected.result, http.StatusForbidden, rejected.scope)
		want := `Bearer error="insufficient_scope", scope="` + rejected.scope + `"`
		if got := rejected.result.header.Get("WWW-Authenticate"); got != want {
			t.Errorf("WWW-Authenticate is %s, want %s", got, want)
		}
	}
	if r := h.submit(writer, minimal); r.status != http.StatusCreated {
		t.Errorf("got %d %s", r.status, r.body)
	}
	if r := h.lookUp(reader, "?name=ATLAS"); r.status != http.StatusOK {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			lifetime, after time.Duration
			expired         bool
		}{
			{1500 * time.Millisecond, 1499 * time.Millisecond, false},
			{1500 * time.Millisecond, 1500 * time.Millisecond, true},
			{0, 876_600 * time.Hour, false},
		} {
			h := newHarness(t, Config{TokenLifetime: test.lifetime})
			token := h.token()
			time.Sleep(test.after)
			for range 2 { // the emulator still knows an expired token
				r := h.submit(token, minimal)
				if test.expired {
					h.wantProblem(r, http.StatusUnauthorized, "expired")
				} else if r.status != http.StatusCreated {
					t.Errorf("after %s got %d %s", test.after, r.status, r.body)
				}
			}
			if r := h.submit(h.token(), minimal); r.status != http.StatusCreated {
				t.Errorf("a new token gets %d %s", r.status, r.body)
			}
		}
	})
}

// An emulator that runs for days keeps no token for longer than an hour after it expired.
func TestExpiredTokensAreDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{TokenLifetime: time.Minute})
		old := h.token()
		time.Sleep(time.Minute + time.Hour - 1)
		h.token()
		h.wantProblem(h.submit(old, minimal), http.StatusUnauthorized, "expired")
		time.Sleep(time.Nanosecond)
		h.token()
		h.wantProblem(h.submit(old, minimal), http.StatusUnauthorized, "unknown")
		if n := len(h.e.tokens); n != 2 {
			t.Errorf("%d tokens are kept", n)
		}
	})
}

func TestGrant(t *testing.T) {
	t.Parallel()
	const both = `"scope":"notifications.write notifications.read"}`
	for name, test := range map[string]struct {
		config Config
		form   string
		want   string // response body, with * for the token
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
		r := h.requestToken(test.form)
		token, _ := h.members(r)["access_token"].(string)
		if len(token) < 20 {
			t.Errorf("%s: token %q is too short to be random", name, token)
		}
		if got := strings.Replace(r.body, token, "*", 1); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, test.want)
		}
		if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/json" ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: unexpected status or header: %d %v", name, r.status, r.header)
		}
		if l := h.e.Ledger(); l.TokenRequests != 1 || l.Requests[0].Status != http.StatusOK {
			t.Errorf("%s: recorded %+v", name, l)
		}
	}
}

func TestGrantRejects(t *testing.T) {
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
		"quote in a scope":   {"", credentials("scope", `a"b`), form, 400, "invalid_scope"},
		"query and body":     {"?scope=a", credentials(), form, 400, invalid},
		"JSON":               {"", `{}`, jsonBody, 400, invalid},
		"bad encoding":       {"", more + "x=%zz", form, 400, invalid},
		"repeated parameter": {"", more + `"x=1&"x=2`, form, 400, invalid},
		"empty scope":        {"", credentials("scope", ""), form, 400, invalid},
		"no grant_type":      {"", credentials("grant_type", ""), form, 400, invalid},
		"other grant_type":   {"", credentials("grant_type", "password"), form, 400, unsupported},
		"unknown client":     {"", credentials("client_id", "x"), form, 401, "invalid_client"},
		"wrong secret":       {"", credentials("client_secret", "x"), form, 401, "invalid_client"},
		"empty body":         {"", "", form, 401, "invalid_client"},
		"unknown scope":      {"", credentials("scope", "a c"), form, 400, "invalid_scope"},
		"too large":          {"", credentials("x", large), form, 413, invalid},
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
			t.Errorf("%s: error_description %q does not follow RFC 6749", name, description)
		}
		if r.header.Get("Content-Type") != "application/json" ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: unexpected header: %v", name, r.header)
		}
		l := h.e.Ledger()
		if l.TokenRequests != 1 || l.Requests[0].Status != test.status ||
			!strings.HasPrefix(l.Requests[0].Reason, test.code+": ") {
			t.Errorf("%s: recorded %+v", name, l)
		}
	}
}
