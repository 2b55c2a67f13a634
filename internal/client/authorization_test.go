package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// When all tokens are revoked while requests are under way, one new token serves them all.
func TestRevocationCostsOneToken(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		fetchToken(t, w.client)
		w.RevokeTokens()
		w.late(10 * time.Millisecond)
		together(20, func() { submitted(t, w.client) })
		received(t, w.Emulator, 40, 20)
		if got := w.Ledger().TokenRequests; got != 2 {
			t.Errorf("%d token requests", got)
		}
	})
}

// A 401 that arrives late does not drop the token that replaced the refused one.
func TestLateRefusalKeepsTheNewToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &numberedTokens{accepted: "t2"}
		c := scriptedClient(t, s, nil)
		s.latency.Store(10)
		var late sync.WaitGroup
		late.Go(func() { submitted(t, c) })
		time.Sleep(15 * time.Second) // t1 came after 10 s, and is refused after 20 s
		s.latency.Store(1)
		submitted(t, c) // with t1, and after a second with t2
		late.Wait()
		if s.tokens.Load() != 2 || s.submissions.Load() != 4 {
			t.Errorf("%d tokens, %d submissions", s.tokens.Load(), s.submissions.Load())
		}
	})
}

// A token that was already on its way when the first one was refused may have been revoked with it,
// and is not the new one that a 401 gets.
func TestTokenRequestedBeforeTheRefusalIsNotNew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &numberedTokens{accepted: "t3"}
		c := scriptedClient(t, s, nil)
		fetchToken(t, c)
		s.latency.Store(1)
		time.AfterFunc(time.Hour-30*time.Second, func() {
			s.latency.Store(2)
			_, _ = c.AccessToken(t.Context(), nil) // t2, for which the submission waits as well
		})
		time.Sleep(time.Hour - 30*time.Second - time.Millisecond)
		submitted(t, c) // with t1, t2 and t3
		if s.tokens.Load() != 3 || s.submissions.Load() != 3 {
			t.Errorf("%d tokens, %d submissions", s.tokens.Load(), s.submissions.Load())
		}
	})
}

// numberedTokens is a service whose tokens are t1, t2, and so on. It accepts only one of them.
type numberedTokens struct {
	accepted            string
	latency             atomic.Int64 // of each response, in seconds
	tokens, submissions atomic.Int32
}

func (s *numberedTokens) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	isToken, number := r.URL.Path == "/oauth2/token", int32(0)
	if isToken {
		number = s.tokens.Add(1)
	} else {
		s.submissions.Add(1)
	}
	time.Sleep(time.Duration(s.latency.Load()) * time.Second)
	switch {
	case isToken:
		_, _ = fmt.Fprintf(w, `{"access_token":"t%d","expires_in":3600}`, number)
	case r.Header.Get("Authorization") != "Bearer "+s.accepted:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		_, _ = fmt.Fprint(w, `{"notification_id":"a"}`)
	}
}

// Token requests are safe to retry.
func TestTokenRequestsAreRetried(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "status:500,close-after,truncate,status:429:1")
		submitted(t, w.client)
		received(t, w.Emulator, 1, 1)
		if got := w.Ledger().TokenRequests; got != 5 {
			t.Errorf("%d token requests", got)
		}
	})
}

// The retries of a token request are not retried by the request that waits for the token.
func TestTokenRequestsAreNotRetriedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		config := testConfig(testHost)
		config.Dial = func(context.Context, string, string) (net.Conn, error) {
			dials.Add(1)
			return nil, errors.New("connection refused")
		}
		c := New(config)
		_, err := c.AccessToken(t.Context(), nil)
		for _, failed := range []*Error{failure(t, err), notSubmitted(t, c)} {
			if failed.Operation != FetchToken || failed.Attempts != 5 {
				t.Errorf("%+v", failed)
			}
		}
		if dials.Load() != 10 {
			t.Errorf("%d dials", dials.Load())
		}
	})
}

// A refusal of the token is told to all who wait for it, and not changed by them.
func TestForbiddenTokenForMany(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "status:403")
		together(10, func() {
			if _, _, err := w.client.Studies(t.Context(), "ATLAS"); err != nil &&
				failure(t, err).Operation != FetchToken {
				t.Error(err)
			}
		})
	})
}
