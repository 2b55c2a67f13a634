package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

const (
	ownKey    = "checkout-1.4.2-canary"
	keyHeader = "Idempotency-Key" // with which net/http repeats requests where it can
)

// scriptedAnswers answers submissions one after the other, and keeps what they carried.
type scriptedAnswers struct {
	script []string

	mu   sync.Mutex
	keys []string
	ids  []string // of requests
}

func (s *scriptedAnswers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := "ok"
	if n := len(s.keys); n < len(s.script) {
		answer = s.script[n]
	}
	s.keys = append(s.keys, r.Header.Get(keyHeader))
	s.ids = append(s.ids, strings.Split(r.Header.Get("Traceparent"), "-")[2])
	switch answer {
	case "ok":
		_, _ = io.WriteString(w, `{"notification_id":"n-1"}`)
	case "empty":
		w.WriteHeader(http.StatusAccepted)
	case "page":
		_, _ = io.WriteString(w, "<!doctype html>Sign in")
	case "lost":
		panic(http.ErrAbortHandler)
	default:
		w.Header().Set("X-Request-Id", fmt.Sprintf("server-%d", len(s.keys)))
		status, _ := strconv.Atoi(answer)
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, "key %s, attempt %d", r.Header.Get(keyHeader), len(s.keys))
	}
}

func withKeys(config *Config) { config.IdempotencyKeyHeader = keyHeader }

// What a submission under a key comes to: an unknown outcome is retried, and once there was one,
// nothing but an acceptance ends the doubt.
func TestOutcomeUnderAKey(t *testing.T) {
	t.Parallel()
	const accepted, not, perhaps = "accepted", "not", "perhaps"
	for script, test := range map[string]struct {
		outcome  string
		attempts int
		doubt    int // the attempt whose ids an error has
	}{
		"ok":                      {accepted, 1, 0},
		"empty":                   {accepted, 1, 0},
		"lost ok":                 {accepted, 2, 0},
		"500 502 503 504 ok":      {accepted, 5, 0},
		"500 empty":               {accepted, 2, 0},
		"303 408 ok":              {accepted, 3, 0},
		"409 409 ok":              {accepted, 3, 0},
		"lost 409 429 ok":         {accepted, 4, 0},
		"429 ok":                  {accepted, 2, 0},
		"lost lost lost lost 500": {perhaps, 5, 1},
		"500 400":                 {perhaps, 2, 1},
		"500 422":                 {perhaps, 2, 1},
		"500 page":                {perhaps, 2, 1},
		"429 500 404":             {perhaps, 3, 2},
		"500 429 429 429 429":     {perhaps, 5, 1},
		"500 409 409 409 409":     {perhaps, 5, 1},
		"409 409 409 409 409":     {perhaps, 5, 1},
		"409 400":                 {perhaps, 2, 1},
		"400":                     {not, 1, 0},
		"422":                     {not, 1, 0},
		"page":                    {not, 1, 0},
		"429 429 429 429 429":     {not, 5, 0},
	} {
		for _, key := range []string{"", ownKey} {
			inBubble(t, script+" "+key, func(t *testing.T) {
				s := &scriptedAnswers{script: strings.Fields(script)}
				c := scriptedClient(t, answering(s.ServeHTTP), withKeys)
				receipt, err := c.SubmitNotification(t.Context(), aNotification(), key)
				if (err == nil) != (test.outcome == accepted) {
					t.Fatalf("%+v, %v", receipt, err)
				}
				if distinct := slices.Compact(slices.Sorted(slices.Values(s.ids))); len(s.keys) !=
					test.attempts || len(distinct) != test.attempts {
					t.Errorf("%d attempts with %d ids", len(s.keys), len(distinct))
				}
				for _, sent := range s.keys {
					if sent != s.keys[0] || key != "" && sent != key || len(sent) < 20 {
						t.Errorf("key %q, first %q", sent, s.keys[0])
					}
				}
				if err == nil {
					return
				}
				failed := failure(t, err)
				if failed.Ambiguous != (test.outcome == perhaps) ||
					failed.Operation != SubmitNotification ||
					failed.Attempts != test.attempts || failed.Key.Own != (key != "") ||
					failed.Key.Header != keyHeader || test.outcome == perhaps &&
					failed.ID.Request != s.ids[test.doubt-1] {
					t.Errorf("%+v, ids %q", failed, s.ids)
				}
				if test.outcome == perhaps {
					logged := fmt.Sprintf("server-%d", test.doubt)
					if s.script[test.doubt-1] == "lost" {
						logged = ""
					}
					if failed.ServerID.String() != logged {
						t.Errorf("the server logged %q, want %q", failed.ServerID, logged)
					}
				}
				if own := failed.Key.Own; own == (failed.Key.Value == s.keys[0]) ||
					own && (failed.Key.Value != "" || strings.Contains(err.Error(), "canary")) {
					t.Errorf("key %q: %v", failed.Key.Value, err)
				}
			})
		}
	}
}

// The ids and the time of an error are those of the first attempt in doubt, whatever came after it.
func TestFirstDoubtIsQuoted(t *testing.T) {
	t.Parallel()
	type situation struct {
		script []string
		token  bool          // whether the second attempt has no token
		cancel time.Duration // when the caller gives up
	}
	for name, s := range map[string]situation{
		"rejected":  {script: []string{"429", "lost", "400"}},
		"no token":  {script: []string{"429", "lost", "401"}, token: true},
		"cancelled": {script: []string{"429", "lost", "429", "429", "429"}, cancel: 3 * time.Second},
		"cancelled before a retry": {
			script: []string{"429", "lost", "ok"}, cancel: 600 * time.Millisecond,
		},
	} {
		inBubble(t, name, func(t *testing.T) {
			service := &scriptedAnswers{script: s.script}
			var tokens int
			handler := func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/oauth2/token" {
					if tokens++; tokens > 1 && s.token {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					_, _ = io.WriteString(w, `{"access_token":"earlier"}`)
					return
				}
				service.ServeHTTP(w, r)
			}
			c := scriptedClient(t, handler, withKeys)
			ctx := t.Context()
			if s.cancel > 0 {
				ctx = cancelledIn(t, s.cancel)
			}
			began := time.Now()
			_, err := c.SubmitNotification(ctx, aNotification(), ownKey)
			failed := failure(t, err)
			if !failed.Ambiguous || failed.ID.Request != service.ids[1] ||
				failed.Operation != SubmitNotification || failed.Time.Sub(began) > time.Second {
				t.Errorf("%+v, ids %q", failed, service.ids)
			}
			if s.token && !strings.Contains(err.Error(), "cannot obtain an access token") ||
				s.cancel > 0 && !failed.Cancelled() && !errors.Is(failed.Stopped, wire.ErrCancelled) ||
				name == "cancelled before a retry" && !strings.Contains(err.Error(), "EOF") {
				t.Error(err)
			}
		})
	}
}

// Each attempt is one request on the wire, although net/http would repeat what carries such a
// header when its connection breaks.
func TestNoRepetitionBehindTheBack(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) {
		withKeys(c)
		c.MaxRetries = 0
	}, func(t *testing.T, w *world) {
		for _, fault := range []string{"pass,close-before", "pass,reset-after", "pass,close-after"} {
			w.setFaults(t, "submission", fault)
			before := w.Ledger().SubmissionRequests
			for range 2 {
				_, _ = w.client.SubmitNotification(t.Context(), aNotification(), ownKey)
			}
			if got := w.Ledger().SubmissionRequests - before; got != 2 {
				t.Errorf("%s: %d requests for 2 attempts", fault, got)
			}
		}
	})
}

// Without the setting there is no key, whoever asks for one; tokens and lookups never have one.
func TestKeysAreOfSubmissionsOnly(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "x-idempotency-key"} {
		synctest.Test(t, func(t *testing.T) {
			keys := map[string][]string{}
			c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
				sent := append(r.Header.Values("X-Idempotency-Key"), r.Header.Values(keyHeader)...)
				keys[r.URL.Path] = append(keys[r.URL.Path], sent...)
				answeringWith(201, "", "", `{"notification_id":"a"}`)(w, r)
			}, func(config *Config) { config.IdempotencyKeyHeader = header })
			for _, key := range []string{"", "", ownKey} {
				_, err := c.SubmitNotification(t.Context(), aNotification(), key)
				_, _, err2 := c.Studies(t.Context(), "A")
				if err = errors.Join(err, err2); err != nil {
					t.Error(err)
				}
			}
			sent := keys["/notifications/v1"]
			if len(keys["/oauth2/token"])+len(keys["/studies/v1"]) > 0 ||
				header == "" && len(sent) > 0 || header != "" &&
				(len(sent) != 3 || sent[0] == sent[1] || sent[2] != ownKey ||
					!regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(sent[0])) {
				t.Errorf("%q: %q", header, keys)
			}
		})
	}
}

// The log names the header; of the keys it has random ones only.
func TestLoggedKeys(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) { withKeys(c) }, func(t *testing.T, w *world) {
		for _, key := range []string{"", ownKey} {
			ctx, lines := logging(t)
			if _, err := w.client.SubmitNotification(ctx, aNotification(), key); err != nil {
				t.Error(err)
			}
			if !strings.Contains(lines.String(), `"idempotency_key_header":"`+keyHeader+`"`) ||
				strings.Contains(lines.String(), `"idempotency_key":"`) != (key == "") ||
				strings.Contains(lines.String(), "canary") {
				t.Error(lines.String())
			}
		}
	})
}

// Without a token nothing was submitted by this run, but an earlier one may have used the key.
func TestKeyWithoutToken(t *testing.T) {
	t.Parallel()
	for key, own := range map[string]bool{"checkout-1.4.2": true, "": false} {
		synctest.Test(t, func(t *testing.T) {
			c := scriptedClient(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusUnauthorized)
			}, func(config *Config) { config.IdempotencyKeyHeader = "Idempotency-Key" })
			_, err := c.SubmitNotification(t.Context(), aNotification(), key)
			failed := failure(t, err)
			if failed.Operation != FetchToken || failed.Key.Own != own || failed.Key.Value != "" {
				t.Errorf("%q: %+v", key, failed)
			}
		})
	}
}
