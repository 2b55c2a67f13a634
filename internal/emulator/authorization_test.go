package emulator

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAuthorizationRefuses(t *testing.T) {
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
		"only the token":  {[]string{"Authorization", good}, "bearer"},
		"only the scheme": {[]string{"Authorization", "Bearer"}, "bearer"},
		"unknown token":   {[]string{"Authorization", "Bearer " + good + "x"}, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			h := &harness{T: t, e: h.e, srv: h.srv, client: client}
			for _, r := range []reply{
				h.do(http.MethodPost, submissionPath, minimal,
					append(test.header, "Content-Type", "application/json")...),
				h.do(http.MethodGet, studiesPath+"?name=ATLAS", "", test.header...),
			} {
				h.wantProblem(r, http.StatusUnauthorized, test.want)
				got := r.header.Get("WWW-Authenticate")
				if !strings.HasPrefix(got, `Bearer error="invalid_token"`) {
					t.Errorf("WWW-Authenticate is %q", got)
				}
			}
			if n := len(h.e.Ledger().Submissions); n != 0 {
				t.Errorf("%d submissions were recorded", n)
			}
		})
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
	for _, refused := range []struct {
		reply reply
		scope string
	}{
		{h.submit(reader, minimal), scopeWrite},
		{h.lookUp(writer, "?name=ATLAS"), scopeRead},
	} {
		h.wantProblem(refused.reply, http.StatusForbidden, refused.scope)
		want := `Bearer error="insufficient_scope", scope="` + refused.scope + `"`
		if got := refused.reply.header.Get("WWW-Authenticate"); got != want {
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
	start := time.Now()
	var now time.Time
	e := newEmulator(t, Config{TokenLifetime: 1500 * time.Millisecond})
	e.now = func() time.Time { return now } // requests come one after the other
	now = start
	h := serveHarness(t, e, false)
	token := h.token()
	now = start.Add(1499 * time.Millisecond)
	if r := h.submit(token, minimal); r.status != http.StatusCreated {
		t.Errorf("before its end the token gets %d %s", r.status, r.body)
	}
	now = start.Add(1500 * time.Millisecond)
	h.wantProblem(h.submit(token, minimal), http.StatusUnauthorized, "expired")
	if r := h.submit(h.token(), minimal); r.status != http.StatusCreated {
		t.Errorf("a new token gets %d %s", r.status, r.body)
	}
	h.wantProblem(h.submit(token, minimal), http.StatusUnauthorized, "expired") // is still known
}

func TestTokensWithoutLifetimeDoNotExpire(t *testing.T) {
	t.Parallel()
	start := time.Now()
	now := start
	e := newEmulator(t, Config{})
	e.now = func() time.Time { return now }
	h := serveHarness(t, e, false)
	token := h.token()
	now = start.AddDate(100, 0, 0)
	if r := h.submit(token, minimal); r.status != http.StatusCreated {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

func TestRevokeTokens(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	h.e.RevokeTokens()
	h.wantProblem(h.submit(token, minimal), http.StatusUnauthorized, "revoked")
	if r := h.submit(h.token(), minimal); r.status != http.StatusCreated {
		t.Errorf("a new token gets %d %s", r.status, r.body)
	}
}
