package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"terraform-provider-notification/internal/emulator"
)

func TestOneFetchForAllCallers(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "delay:2s")
		var group sync.WaitGroup
		for range 100 {
			group.Go(func() {
				if _, err := w.client.tokens.get(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if got := w.Ledger().TokenRequests; got != 1 {
			t.Errorf("%d token requests, want 1", got)
		}
	})
}

func TestCancellationEndsTheWaitNotTheFetch(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "delay:5s")
		began := time.Now()
		first, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		patient := make(chan error, 1)
		go func() {
			synctest.Wait() // the first caller has started the fetch
			_, err := w.client.tokens.get(t.Context())
			patient <- err
		}()

		if _, err := w.client.tokens.get(first); !failure(t, err).Cancelled() || time.Since(began) != time.Second {
			t.Errorf("the cancelled caller got %v after %s", err, time.Since(began))
		}
		if err := <-patient; err != nil || time.Since(began) != 5*time.Second {
			t.Errorf("the patient caller got %v after %s", err, time.Since(began))
		}
		if got := w.Ledger().TokenRequests; got != 1 {
			t.Errorf("%d token requests, want 1", got)
		}
	})
}

// Requests every 50 ms never wait for a token after the first, and tokens are
// fetched about as often as they expire.
func TestRefreshScalesWithTheLifetime(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lifetime, run time.Duration
		want          int
	}{
		{time.Second, 20 * time.Second, 26},     // each used for 0.8 s
		{5 * time.Second, 60 * time.Second, 16}, // 4 s
		{time.Hour, 2 * time.Hour, 3},           // 59 minutes
		{0, 48 * time.Hour, 1},                  // no expires_in
	} {
		t.Run(test.lifetime.String(), func(t *testing.T) {
			inWorld(t, func(s *emulator.Config, _ *Config) {
				s.TokenLifetime = test.lifetime
				s.Latency = 20 * time.Millisecond
			}, func(t *testing.T, w *world) {
				step := max(50*time.Millisecond, test.run/20000)
				if _, err := w.client.tokens.get(t.Context()); err != nil {
					t.Fatal(err)
				}
				for began := time.Now(); time.Since(began) < test.run; time.Sleep(step) {
					asked := time.Now()
					tok, err := w.client.tokens.get(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if waited := time.Since(asked); waited > 0 {
						t.Fatalf("waited %s for a token after %s", waited, time.Since(began))
					}
					if !tok.expires.IsZero() && !time.Now().Before(tok.expires) {
						t.Fatalf("got a token that expired at %s", tok.expires)
					}
				}
				if got := w.Ledger().TokenRequests; got < test.want-1 || got > test.want+1 {
					t.Errorf("%d token requests in %s, want %d or one more or less", got, test.run, test.want)
				}
			})
		})
	}
}

func TestExpiredTokenIsFetchedAnew(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		for range 2 {
			if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Hour)
		}
		if ledger := w.Ledger(); ledger.TokenRequests != 2 || ledger.SubmissionRequests != 2 {
			t.Errorf("%d token requests and %d submissions, want 2 and 2", ledger.TokenRequests, ledger.SubmissionRequests)
		}
	})
}

func TestFailuresAreNotCached(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "oauth:invalid_scope")
		if _, err := w.client.tokens.get(t.Context()); failure(t, err).Code != "invalid_scope" {
			t.Error(err)
		}
		if _, err := w.client.tokens.get(t.Context()); err != nil {
			t.Errorf("the failure was remembered: %v", err)
		}
	})
}

// While the old token is good, a failed early refresh disturbs nobody and is not
// repeated with each request.
func TestFailedEarlyRefreshKeepsTheToken(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		first, err := w.client.tokens.get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w.setFaults(t, "token", "oauth:invalid_client,repeat")
		time.Sleep(time.Hour - 30*time.Second)
		for range 100 {
			tok, err := w.client.tokens.get(t.Context())
			if err != nil || tok != first {
				t.Fatalf("got %v, %v", tok, err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if got := w.Ledger().TokenRequests; got < 3 || got > 4 {
			t.Errorf("%d token requests, want one and an early one every 5 s", got)
		}
	})
}

func TestOnly401DropsTheTokenAndRepeatsOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		faults              string
		tokens, submissions int
		status              int
	}{
		"revoked":     {"pass,revoke", 2, 3, 0},
		"always":      {"status:401,repeat", 2, 2, 401},
		"403 is not":  {"status:403", 1, 1, 403},
		"then 503":    {"revoke,status:503:0", 2, 3, 0},
		"then 422":    {"revoke,status:422", 2, 2, 422},
		"then revoke": {"revoke,revoke", 2, 2, 401},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.setFaults(t, "submission", test.faults)
				calls := 1
				if strings.HasPrefix(test.faults, "pass") {
					calls = 2
				}
				var err error
				for range calls {
					_, err = w.client.SubmitNotification(t.Context(), aNotification())
				}
				ledger := w.Ledger()
				if ledger.TokenRequests != test.tokens || ledger.SubmissionRequests != test.submissions {
					t.Errorf("%d token requests and %d submissions, want %d and %d",
						ledger.TokenRequests, ledger.SubmissionRequests, test.tokens, test.submissions)
				}
				if test.status == 0 {
					if err != nil || len(ledger.Submissions) != calls {
						t.Errorf("%v, %d submitted", err, len(ledger.Submissions))
					}
				} else if failed := failure(t, err); failed.Status != test.status || failed.Outcome != NotSubmitted {
					t.Errorf("got %+v, want status %d", failed, test.status)
				}
			})
		})
	}
}

// When all tokens are revoked while ten requests are under way, one new token
// serves them all.
func TestRevocationCostsOneToken(t *testing.T) {
	inWorld(t, func(s *emulator.Config, _ *Config) { s.Latency = 10 * time.Millisecond }, func(t *testing.T, w *world) {
		if _, err := w.client.tokens.get(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.RevokeTokens()
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if ledger := w.Ledger(); ledger.TokenRequests != 2 || len(ledger.Submissions) != 10 {
			t.Errorf("%d token requests, %d submissions", ledger.TokenRequests, len(ledger.Submissions))
		}
	})
}

// A token that was already on its way when the first one was refused may have
// been revoked with it, and is not the new one that a 401 gets.
func TestTokenFetchedBeforeTheRefusalIsNotNew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tokens, submissions atomic.Int32
		c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path == "/oauth2/token" {
				n := tokens.Add(1)
				if n == 2 {
					time.Sleep(3 * time.Second)
				}
				_, _ = fmt.Fprintf(w, `{"access_token":"t%d","token_type":"Bearer","expires_in":3600}`, n)
				return
			}
			submissions.Add(1)
			if r.Header.Get("Authorization") != "Bearer t3" {
				time.Sleep(time.Second)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = fmt.Fprint(w, `{"notification_id":"a"}`)
		}, nil)
		if _, err := c.tokens.get(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour - 30*time.Second) // the next request begins an early refresh
		if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil {
			t.Error(err)
		}
		if tokens.Load() != 3 || submissions.Load() != 3 {
			t.Errorf("%d tokens, %d submissions", tokens.Load(), submissions.Load())
		}
	})
}

func TestTokenAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status            int
		contentType, body string
		want, wantErr     string
		lifetime          time.Duration
	}{
		"usual":              {200, "application/json", `{"access_token":"t","token_type":"Bearer","expires_in":60,"scope":"a b"}`, "t", "", time.Minute},
		"JSON called text":   {200, "text/plain", `{"access_token":"t","token_type":"bearer","expires_in":60}`, "t", "", time.Minute},
		"JSON called a form": {200, "application/x-www-form-urlencoded", `{"access_token":"t","token_type":"bearer"}`, "t", "", 0},
		"no type":            {200, "", `{"access_token":"t"}`, "t", "", 0},
		"lifetime as text":   {200, "application/json", `{"access_token":"t","token_type":"Bearer","expires_in":"60"}`, "t", "", time.Minute},
		"mac":                {200, "application/json", `{"access_token":"t","token_type":"mac"}`, "", `of type "mac"`, 0},
		"no token":           {200, "application/json", `{"token_type":"Bearer"}`, "", "missing access_token", 0},
		"empty":              {200, "application/json", ``, "", "not a token response", 0},
		"not JSON":           {200, "application/json", `access_token=t`, "", "not a token response", 0},
		"line break":         {200, "application/json", `{"access_token":"t\nX-Evil: 1","token_type":"Bearer"}`, "", "a header cannot carry", 0},
		"HTML":               {200, "text/html", `<html><title>Sign in</title></html>`, "", "Sign in", 0},
		"error with 200":     {200, "application/json", `{"error":"invalid_client","error_description":"unknown"}`, "", "invalid_client: unknown", 0},
		"error":              {400, "application/json", `{"error":"invalid_scope","error_description":"no such scope"}`, "", "400 Bad Request: invalid_scope: no such scope", 0},
		"secret echoed":      {400, "application/json", `{"error":"invalid_client","error_description":"secret ` + testSecret + ` is wrong"}`, "", "secret *** is wrong", 0},
		"redirect":           {307, "", ``, "", "307 Temporary Redirect", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
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
				tok, err := c.tokens.get(t.Context())
				if requests.Load() != 1 {
					t.Errorf("%d requests, want 1", requests.Load())
				}
				if test.wantErr == "" {
					if err != nil || tok.value != test.want {
						t.Fatalf("got %v, %v", tok, err)
					}
					if got := max(tok.lifetime(), 0); got != test.lifetime {
						t.Errorf("lifetime %s, want %s", got, test.lifetime)
					}
					return
				}
				if failed := failure(t, err); failed.Operation != FetchToken || failed.Outcome != NotSubmitted ||
					!strings.Contains(err.Error(), test.wantErr) || strings.Contains(err.Error(), testSecret) {
					t.Errorf("got %v, want %q", err, test.wantErr)
				}
			})
		})
	}
}

// Token requests are safe to repeat.
func TestTokenRequestsAreRepeated(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"status:500", "status:503", "status:429:1", "close-before", "close-after", "truncate"} {
		t.Run(fault, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.setFaults(t, "token", fault+"*2")
				if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil {
					t.Fatal(err)
				}
				if ledger := w.Ledger(); ledger.TokenRequests != 3 || ledger.SubmissionRequests != 1 {
					t.Errorf("%d token requests and %d submissions", ledger.TokenRequests, ledger.SubmissionRequests)
				}
			})
		})
	}
}

// Whatever a token endpoint answers, there is a token that a header can carry or
// an error without the secret.
func FuzzTokenAnswer(f *testing.F) {
	f.Add(200, "application/json", []byte(`{"access_token":"t","token_type":"Bearer","expires_in":60}`))
	f.Add(200, "text/plain", []byte(`{"access_token":"`+testSecret+`","token_type":"mac","expires_in":-1}`))
	f.Add(400, "application/json", []byte(`{"error":"`+testSecret+`"}`))
	f.Fuzz(func(t *testing.T, status int, contentType string, body []byte) {
		if status < 200 || status > 499 || status == 408 || status == 425 || status == 429 {
			return // not an answer, or one that is waited out
		}
		config := testConfig(testHost)
		c := newClient(config, roundTripper(func(req *http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: status, Header: http.Header{"Content-Type": {contentType}},
				Body: io.NopCloser(bytes.NewReader(body)), Request: req,
			}, nil
		}))
		tok, err := c.tokens.get(t.Context())
		if err != nil {
			if text := err.Error(); strings.Contains(text, testSecret) || !utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
			return
		}
		if tok.value == "" || strings.ContainsAny(tok.value, "\r\n") || status > 299 {
			t.Errorf("token %q", tok.value)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
