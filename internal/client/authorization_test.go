package client

import (
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/client/wire"
)

// A late 401 does not drop a newer token: the request is retried with that token, and no further
// token is requested. If the newer token is rejected too, that is the outcome.
func TestLate401KeepsNewerToken(t *testing.T) {
	t.Parallel()
	for accepted, test := range map[string]struct{ tokens, submissions int32 }{
		"t2": {2, 4}, "t3": {3, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &numberedTokens{accepted: accepted}
			c := scriptedClient(t, s, nil)
			fetchToken(t, c)
			for _, latency := range []int64{1, 10} {
				s.latency.Store(latency)
				go func() {
					_, err := c.SubmitNotification(t.Context(), testNotification(), "")
					if err != nil && (accepted == "t2" || asError(t, err).Status != http.StatusUnauthorized) {
						t.Errorf("%s: %v", accepted, err)
					}
				}()
				synctest.Wait()
			}
			s.latency.Store(0)
			time.Sleep(time.Minute)
			fetchToken(t, c)
			if s.tokens.Load() != test.tokens || s.submissions.Load() != test.submissions {
				t.Errorf("%s: %d tokens, %d submissions; want %+v", accepted, s.tokens.Load(),
					s.submissions.Load(), test)
			}
		})
	}
}

// numberedTokens is a service that issues the tokens t1, t2, and so on, and accepts one of them.
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

// A failed token request has been retried already: the requests that wait for the token do not
// retry it, and all of them return its error.
func TestTokenRequestsAreNotRetriedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &scriptedService{responses: slices.Repeat([]string{"500"}, 10)}
		c := scriptedClient(t, service, nil)
		concurrently(10, func() {
			_, err := c.SubmitNotification(t.Context(), testNotification(), "")
			if failed := asError(t, err); failed.Operation != FetchToken || failed.Attempts != 5 {
				t.Errorf("%+v", failed)
			}
		})
		if len(service.requests) != 5 {
			t.Errorf("%d token requests, want 5", len(service.requests))
		}
	})
}

// Send does not modify the request: no token remains in its header.
func TestSendDoesNotModifyRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := new(scriptedService)
		c := scriptedClient(t, service, nil)
		request := wire.Request{Method: http.MethodGet, URL: c.studiesURL, Header: http.Header{}}
		attempt := c.api.next.Send(t.Context(), request)
		if attempt.Err != nil || len(request.Header) > 0 ||
			service.requests[1].Header.Get("Authorization") != "Bearer earlier" {
			t.Errorf("%+v, header %v", attempt, request.Header)
		}
	})
}
