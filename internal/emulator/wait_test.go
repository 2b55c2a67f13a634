package emulator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLatencyAndDelay(t *testing.T) {
	t.Parallel()
	const pause = 20 * time.Millisecond
	for name, config := range map[string]Config{
		"latency": {Latency: pause},
		"delay":   {Faults: Faults{"submission": "delay:20ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, config)
			token := h.token()
			start := time.Now()
			r := h.submit(token, minimal)
			if took := time.Since(start); took < pause || r.status != http.StatusCreated {
				t.Errorf("got %d after %s", r.status, took)
			}
		})
	}
}

// What is accepted is accepted before the answer is held back.
func TestDelayAfterAcceptance(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "delay:1h"}})
	token := h.token()
	ctx, giveUp := context.WithCancel(t.Context())
	done := make(chan error, 1)
	r := h.submission(token, minimal).WithContext(ctx)
	go func() {
		_, err := h.try(r)
		done <- err
	}()
	h.eventually("the submission is recorded", func() bool {
		return len(h.e.Ledger().Submissions) == 1
	})
	giveUp()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	h.srv.Close() // returns only when the request has ended, with its client
	if r := h.e.Ledger().Requests[1]; r.Status != 0 {
		t.Errorf("recorded is status %d", r.Status)
	}
}

func TestHangEndsWithTheClient(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"small": minimal, "too large": strings.Repeat("x", 2*maxBody),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{Faults: Faults{"submission": "hang"}})
			token := h.token()
			ctx, giveUp := context.WithCancel(t.Context())
			done := make(chan error, 1)
			r := h.submission(token, body).WithContext(ctx)
			go func() {
				_, err := h.try(r)
				done <- err
			}()
			h.eventually("the request arrives", func() bool { return h.e.Ledger().SubmissionRequests == 1 })
			giveUp()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			h.srv.Close()
			l := h.e.Ledger()
			if len(l.Submissions) != 0 || l.Requests[1].Status != 0 || l.Requests[1].Reason != injected {
				t.Errorf("recorded %+v", l)
			}
		})
	}
}

func TestCloseEndsWaits(t *testing.T) {
	t.Parallel()
	for fault, wantStatus := range map[string]int{"hang": 0, "delay:1h": 201, "drip:1h": 201} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{Faults: Faults{"submission": fault}})
			token := h.token()
			type outcome struct {
				reply reply
				err   error
			}
			done := make(chan outcome, 1)
			request := h.submission(token, minimal)
			go func() {
				r, err := h.try(request)
				done <- outcome{r, err}
			}()
			h.eventually("the request arrives", func() bool { return h.e.Ledger().SubmissionRequests == 1 })
			h.e.Close()
			got := <-done
			if got.reply.status != wantStatus || got.reply.err != nil ||
				(got.err == nil) != (wantStatus != 0) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestShutdownEndsWaits(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "hang"}})
	token := h.token()
	done := make(chan error, 1)
	r := h.submission(token, minimal)
	go func() {
		_, err := h.try(r)
		done <- err
	}()
	h.eventually("the request arrives", func() bool { return h.e.Ledger().SubmissionRequests == 1 })
	if err := h.srv.Config.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-done; err == nil {
		t.Error("the request that hung got an answer")
	}
}

// On a network in memory nothing but the emulator closes the connection.
func TestCloseEndsHangingConnections(t *testing.T) {
	t.Parallel()
	for _, faults := range []Faults{{"token": "hang"}, {"token": "close-before"}} {
		synctest.Test(t, func(t *testing.T) {
			e := newEmulator(t, Config{Faults: faults})
			conn := inMemory(t, e)()
			go func() {
				_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n\r\n", tokenPath)
			}()
			time.AfterFunc(time.Hour, e.Close)
			began := time.Now()
			answer, err := io.ReadAll(conn)
			want := time.Hour
			if faults["token"] == "close-before" {
				want = 0
			}
			if took := time.Since(began); len(answer) > 0 || err != nil || took != want {
				t.Errorf("%v: got %q, %v after %s", faults, answer, err, took)
			}
		})
	}
}
