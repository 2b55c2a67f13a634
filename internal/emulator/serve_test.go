package emulator

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// raw sends a submission over a connection of its own and returns everything
// that comes back, with the error that ends it (nil: an orderly end).
func (h *harness) raw(token, body string) (string, error) {
	h.Helper()
	address := strings.TrimPrefix(h.root, "http://")
	conn, err := new(net.Dialer).DialContext(h.Context(), "tcp", address)
	if err != nil {
		h.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		h.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		submissionPath, token, len(body), body)
	if err != nil {
		return "", err // a reset can come that early
	}
	answer, err := io.ReadAll(conn)
	return string(answer), err
}

// ended tells whether err is what a connection ends with, by a reset or in order. Windows has its own
// numbers: WSAECONNRESET, and WSAECONNABORTED, which a write meets after a reset. With wine, by which
// Windows is tried elsewhere, most resets look like an orderly end.
func ended(err error, reset bool) bool {
	switch {
	case err == nil:
		return !reset || runtime.GOOS == "windows"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.Errno(10054)),
		errors.Is(err, syscall.Errno(10053)):
		return reset
	}
	return false
}

func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault    string
		known    bool // the token is
		reset    bool
		accepted int
		reason   string
	}{
		{"reset-before", true, true, 0, injected},
		{"close-before", true, false, 0, injected},
		{"reset-after", true, true, 1, injected},
		{"close-after", true, false, 1, injected},
		// A refused request is not recorded as accepted, even if nobody hears of it.
		{"reset-after", false, true, 0, "the token is unknown"},
		{"close-after", false, false, 0, "the token is unknown"},
	} {
		t.Run(fmt.Sprintf("%s %t", test.fault, test.known), func(t *testing.T) {
			t.Parallel()
			e := newEmulator(t, Config{Faults: Faults{"submission": test.fault}})
			h := newTCPHarness(t, e)
			token := "unknown"
			if test.known {
				token = h.token()
			}
			h.e.ClearLedger()
			// More than a server reads together with the header, so that the
			// faults that act before meet unread data.
			body := strings.Replace(minimal, "slack", strings.Repeat("x", 100_000), 1)
			answer, err := h.raw(token, body)
			if answer != "" || !ended(err, test.reset) {
				t.Errorf("got %q, %v; want a reset: %t", answer, err, test.reset)
			}
			l := h.e.Ledger()
			if len(l.Submissions) != test.accepted || l.SubmissionRequests != 1 || l.Connections != 1 {
				t.Errorf("recorded %+v", l)
			}
			if r := l.Requests[0]; r.Status != 0 || r.Fault != test.fault || r.Reason != test.reason {
				t.Errorf("recorded %+v", r)
			}
		})
	}
}

// A client that is still writing sees an orderly end all the same.
func TestCloseBeforeWithMoreThanTheSocketsHold(t *testing.T) {
	t.Parallel()
	e := newEmulator(t, Config{Faults: Faults{"submission": "close-before"}})
	e.drainTime = time.Minute // enough for a busy machine
	h := newTCPHarness(t, e)
	if answer, err := h.raw("unread", strings.Repeat("x", 32*maxBody)); answer != "" || err != nil {
		t.Errorf("got %q, %v", answer, err)
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "truncate"}})
	r := h.submit(h.token(), minimal)
	if r.status != http.StatusCreated || r.header.Get("Content-Length") != "58" ||
		len(r.body) != 29 || !errors.Is(r.err, io.ErrUnexpectedEOF) {
		t.Errorf("got %+v", r)
	}
	if n := len(h.e.Ledger().Submissions); n != 1 {
		t.Errorf("%d submissions were recorded", n)
	}
}
