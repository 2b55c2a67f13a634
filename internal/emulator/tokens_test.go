package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A submission and a lookup need a token of the emulator, with their scope.
func TestAuthorization(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	good, reader, writer := h.token(), h.token("scope", scopeRead), h.token("scope", scopeWrite)
	check := func(r *http.Request, headers []string, detail string) {
		t.Helper()
		r.Header["Authorization"] = headers
		got := h.send(r)
		challenge := got.header.Get("WWW-Authenticate")
		want := `Bearer error="invalid_token"`
		switch detail {
		case "":
			if got.status >= 300 || challenge != "" {
				t.Errorf("%s: got %+v", headers, got)
			}
			return
		case scopeRead, scopeWrite:
			want = `Bearer error="insufficient_scope", scope="` + detail + `"`
			h.wantProblem(got, http.StatusForbidden, detail)
		default:
			h.wantProblem(got, http.StatusUnauthorized, detail)
		}
		if !strings.HasPrefix(challenge, want) {
			t.Errorf("%s: WWW-Authenticate is %s", headers, challenge)
		}
	}
	for _, test := range []struct {
		headers        []string // Authorization
		submit, lookUp string   // details of the problems; empty if the request is accepted
	}{
		{[]string{"Bearer " + good}, "", ""},
		{[]string{"bearer " + writer}, "", scopeRead},
		{[]string{"BEARER " + reader}, scopeWrite, ""},
		{nil, "missing", "missing"},
		{[]string{"Bearer " + good, "Bearer " + good}, "more than one", "more than one"},
		{[]string{"Basic " + good}, "bearer", "bearer"},
		{[]string{"Bearer"}, "bearer", "bearer"},
		{[]string{"Bearer " + good + "x"}, "unknown", "unknown"},
	} {
		check(h.request(http.MethodPost, submissionPath, minimal, "Content-Type", jsonType),
			test.headers, test.submit)
		check(h.request(http.MethodGet, studiesPath+"?name=ATLAS", ""), test.headers, test.lookUp)
	}
	h.wantCounts(2, 0)
}

// A token expires to the nanosecond.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const lifetime = 1500 * time.Millisecond
		h, forever := newHarness(t, Config{TokenLifetime: lifetime}), newHarness(t, Config{})
		token, permanent := h.token(), forever.token()
		time.Sleep(lifetime - 1)
		if r := h.submit(token, minimal); r.status != http.StatusCreated {
			t.Errorf("got %+v", r)
		}
		time.Sleep(time.Nanosecond)
		h.wantProblem(h.submit(token, minimal), http.StatusUnauthorized, "expired")
		if r := h.submit(h.token(), minimal); r.status != http.StatusCreated {
			t.Errorf("a new token gets %+v", r)
		}
		time.Sleep(876_600 * time.Hour)
		if r := forever.submit(permanent, minimal); r.status != http.StatusCreated {
			t.Errorf("a token without a lifetime gets %+v", r)
		}
	})
}

func TestGrant(t *testing.T) {
	t.Parallel()
	const token, end = `{"access_token":"*",`, `,"token_type":"Bearer"}`
	for form, test := range map[string]struct {
		config Config
		want   string // response body, with * for the token
	}{
		credentials(): {Config{TokenLifetime: 1500 * time.Millisecond},
			token + `"expires_in":2,"scope":"notifications.write notifications.read"` + end},
		credentials("scope", "other notifications.read"): {Config{},
			token + `"scope":"other notifications.read"` + end},
		credentials("unknown", "ignored"): {Config{},
			token + `"scope":"notifications.write notifications.read"` + end},
	} {
		h := newHarness(t, test.config)
		r := h.requestToken(form)
		token, _ := h.members(r)["access_token"].(string)
		if got := strings.Replace(r.body, token, "*", 1); got != test.want || len(token) < 20 ||
			r.status != http.StatusOK || r.header.Get("Content-Type") != jsonType ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got  %+v\nwant %s", form, r, test.want)
		}
	}
}

func TestGrantRejects(t *testing.T) {
	t.Parallel()
	const invalid, unsupported = "invalid_request", "unsupported_grant_type"
	h := newHarness(t, Config{})
	for name, test := range map[string]struct {
		query, body string
		status      int
		code        string
		header      []string // instead of the Content-Type
	}{
		"Authorization header": {"", credentials(), 401, "invalid_client",
			[]string{"Content-Type", formType, "Authorization", "Basic eDp5"}},
		"JSON":               {"", `{}`, 400, invalid, []string{"Content-Type", jsonType}},
		"query and body":     {"?scope=a", credentials(), 400, invalid, nil},
		"bad encoding":       {"", credentials() + "&x=%zz", 400, invalid, nil},
		"repeated parameter": {"", credentials() + `&"x=1&"x=2`, 400, invalid, nil},
		"no grant_type":      {"", credentials("grant_type", ""), 400, invalid, nil},
		"other grant_type":   {"", credentials("grant_type", "password"), 400, unsupported, nil},
		"unknown client":     {"", credentials("client_id", "x"), 401, "invalid_client", nil},
		"wrong secret":       {"", credentials("client_secret", "x"), 401, "invalid_client", nil},
		"blank scope":        {"", credentials("scope", " "), 400, invalid, nil},
		"too large":          {"", credentials("x", strings.Repeat("x", maxBody)), 413, invalid, nil},
	} {
		h.ClearLedger()
		if test.header == nil {
			test.header = []string{"Content-Type", formType}
		}
		r := h.do(http.MethodPost, tokenPath+test.query, test.body, test.header...)
		members := h.members(r)
		description, _ := members["error_description"].(string)
		outside := func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }
		if r.status != test.status || members["error"] != test.code || description == "" ||
			strings.ContainsFunc(description, outside) || // RFC 6749 section 5.2
			r.header.Get("Content-Type") != jsonType || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %+v, want %d %s", name, r, test.status, test.code)
		}
		l := h.Ledger()
		if l.TokenRequests != 1 || h.recorded(0).Status != test.status ||
			!strings.HasPrefix(h.recorded(0).Reason, test.code+": ") {
			t.Errorf("%s: recorded %+v", name, l)
		}
	}
}
