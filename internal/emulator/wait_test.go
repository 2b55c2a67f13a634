package emulator

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLatencyAndDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{
			Latency: time.Second, Faults: Faults{"submission": "pass,delay:20ms"},
		})
		token := h.token()
		for _, want := range []time.Duration{time.Second, 1020 * time.Millisecond} {
			began := time.Now()
			r := h.submit(token, minimal)
			if took := time.Since(began); took != want || r.status != http.StatusCreated {
				t.Errorf("got %d after %s, want %s", r.status, took, want)
			}
		}
	})
}

// What is accepted is accepted before the answer is held back. What hangs is not, and its body is
// not what it waits for.
func TestClientThatGivesUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault, body string
		accepted    int
		reason      string
	}{
		{"delay:1h", minimal, 1, "the client left before the answer"},
		{"hang", minimal, 0, injected},
		{"hang", strings.Repeat("x", 2*maxBody), 0, injected},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, Config{Faults: Faults{"submission": test.fault}})
			ctx, giveUp := context.WithCancel(t.Context())
			done := h.begin(h.submission(h.token(), test.body).WithContext(ctx))
			synctest.Wait()
			if n := len(h.e.Ledger().Submissions); n != test.accepted {
				t.Errorf("%s: %d submissions before the client has gone", test.fault, n)
			}
			giveUp()
			if r := <-done; !errors.Is(r.err, context.Canceled) {
				t.Errorf("got %+v", r)
			}
			synctest.Wait()
			l := h.e.Ledger()
			if len(l.Submissions) != test.accepted || l.Requests[1].Status != 0 ||
				l.Requests[1].Reason != test.reason {
				t.Errorf("%s: recorded %+v", test.fault, l)
			}
		})
	}
}

// The end of the server ends every wait: what is held back is sent, and what hangs is closed.
func TestShutdownEndsWaits(t *testing.T) {
	t.Parallel()
	for fault, status := range map[string]int{"hang": 0, "delay:1h": 201, "drip:1h": 201} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, Config{Faults: Faults{"submission": fault}})
			done := h.begin(h.submission(h.token(), minimal))
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := h.server.Shutdown(ctx); err != nil {
				t.Error(err)
			}
			if r := <-done; r.status != status || errors.Is(r.err, io.EOF) != (status == 0) {
				t.Errorf("%s: got %+v", fault, r)
			}
		})
	}
}
