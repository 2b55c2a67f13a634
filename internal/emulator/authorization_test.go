package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
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
		"only the scheme": {[]string{"Authorization", "Bearer"}, "bearer"},
		"unknown token":   {[]string{"Authorization", "Bearer " + good + "x"}, "unknown"},
	} {
		for _, r := range []reply{
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
			for range 2 { // an expired one is still known
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

func TestTokensThatAreNoLongerValidAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		known := make(tokens)
		lasting := known.issue(nil, 0)
		for range 10 * sweepTokens {
			time.Sleep(time.Second)
			known.issue(nil, time.Minute)
		}
		if n := len(known); n > sweepTokens {
			t.Errorf("%d tokens are kept", n)
		}
		if _, kept := known[lasting]; !kept {
			t.Error("a token that does not expire is forgotten")
		}
	})
}
