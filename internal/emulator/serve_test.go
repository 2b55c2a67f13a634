package emulator

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// raw sends a submission over a connection of its own and returns everything
// that comes back, with the error that ends it (nil: an orderly end).
func (h *harness) raw(token, body string) (string, error) {
	h.Helper()
	var conn net.Conn
	var err error
	if h.srv.TLS != nil {
		dialer := &tls.Dialer{Config: h.client.Transport.(*http.Transport).TLSClientConfig}
		conn, err = dialer.DialContext(h.Context(), "tcp", h.srv.Listener.Addr().String())
	} else {
		conn, err = new(net.Dialer).DialContext(h.Context(), "tcp", h.srv.Listener.Addr().String())
	}
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
	for _, overTLS := range []bool{false, true} {
		for _, test := range []struct {
			fault    string
			reset    bool
			accepted int
		}{
			{"reset-before", true, 0},
			{"close-before", false, 0},
			{"reset-after", true, 1},
			{"close-after", false, 1},
		} {
			t.Run(fmt.Sprintf("%s TLS %t", test.fault, overTLS), func(t *testing.T) {
				t.Parallel()
				h := serveHarness(t, newEmulator(t, Config{Faults: Faults{"submission": test.fault}}), overTLS)
				token := h.token()
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
				if r := l.Requests[0]; r.Status != 0 || r.Fault != test.fault {
					t.Errorf("recorded status %d and fault %q", r.Status, r.Fault)
				}
			})
		}
	}
}

// A client that is still writing sees an orderly end all the same.
func TestCloseBeforeWithMoreThanTheSocketsHold(t *testing.T) {
	t.Parallel()
	e := newEmulator(t, Config{Faults: Faults{"submission": "close-before"}})
	e.drainTime = time.Minute // enough for a busy machine
	h := serveHarness(t, e, false)
	if answer, err := h.raw("unread", strings.Repeat("x", 32*maxBody)); answer != "" || err != nil {
		t.Errorf("got %q, %v", answer, err)
	}
}

// A refused request is not recorded as accepted, even if nobody hears of it.
func TestBrokenConnectionOfBadRequest(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "reset-after,close-after"}})
	if _, err := h.raw("unknown", minimal); !ended(err, true) {
		t.Errorf("got %v, want a reset", err)
	}
	if answer, err := h.raw("unknown", minimal); answer != "" || err != nil {
		t.Errorf("got %q, %v", answer, err)
	}
	if n := len(h.e.Ledger().Submissions); n != 0 {
		t.Errorf("%d submissions were recorded", n)
	}
}

func TestBrokenTokenAndLookUpConnections(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"reset-before", "close-before", "reset-after", "close-after"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{})
			token := h.token()
			if err := h.e.SetFaults(Faults{"token": fault, "studies": fault}); err != nil {
				t.Fatal(err)
			}
			// With kept connections it would retry the lookup by itself.
			h.client.Transport.(*http.Transport).DisableKeepAlives = true
			h.client.CloseIdleConnections()
			form := h.request(http.MethodPost, tokenPath, credentials(), "Content-Type", formType)
			if r, err := h.try(form); err == nil {
				t.Errorf("the token request got %+v", r)
			}
			lookUp := h.request(http.MethodGet, studiesPath+"?name=ATLAS", "",
				"Authorization", "Bearer "+token)
			if r, err := h.try(lookUp); err == nil {
				t.Errorf("the lookup got %+v", r)
			}
			want := 1
			if strings.HasSuffix(fault, "-after") {
				want = 2
			}
			if l := h.e.Ledger(); l.TokensIssued != want || l.TokenRequests != 2 || l.StudyRequests != 1 {
				t.Errorf("recorded %+v", l)
			}
		})
	}
}

// Without a connection to break there is no pretence of having broken it.
func TestBrokenConnectionWithoutConnection(t *testing.T) {
	t.Parallel()
	e := newEmulator(t, Config{Faults: Faults{"submission": "close-before"}})
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, submissionPath, nil))
	if w.Code != http.StatusInternalServerError {
		t.Errorf("got %d", w.Code)
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	faults := Faults{"token": "truncate", "submission": "truncate*2", "studies": "truncate"}
	if err := h.e.SetFaults(faults); err != nil {
		t.Fatal(err)
	}
	for _, r := range []reply{
		h.ask(credentials()), h.submit(token, minimal), h.lookUp(token, "?name=ATLAS"),
	} {
		if r.status >= 300 || !errors.Is(r.err, io.ErrUnexpectedEOF) || r.body == "" {
			t.Errorf("got %d %q, %v", r.status, r.body, r.err)
		}
	}
	answer, err := h.raw(token, minimal)
	head, body, _ := strings.Cut(answer, "\r\n\r\n")
	if err != nil || !strings.HasPrefix(head, "HTTP/1.1 201") ||
		!strings.Contains(head, "Content-Length: 58") || len(body) != 29 {
		t.Errorf("got %q, %v", answer, err)
	}
	if n := len(h.e.Ledger().Submissions); n != 2 {
		t.Errorf("%d submissions were recorded", n)
	}
}

// writer counts what reaches the wire, and in how many pieces.
type writer struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	flushed []int // length of the body at each flush
}

func (w *writer) Header() http.Header         { return w.header }
func (w *writer) WriteHeader(status int)      { w.status = status }
func (w *writer) Write(b []byte) (int, error) { return w.body.Write(b) }

func (w *writer) FlushError() error {
	w.flushed = append(w.flushed, w.body.Len())
	return nil
}

func TestDripInBytes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token(scopeRead)
	if err := h.e.SetFaults(Faults{"studies": "drip:20ms"}); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, studiesPath+"?name=ATLAS", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	w := &writer{header: make(http.Header)}
	start := time.Now()
	h.e.ServeHTTP(w, r)
	if took := time.Since(start); took < 19*time.Millisecond {
		t.Errorf("it took only %s", took)
	}
	n := w.body.Len()
	if w.status != http.StatusOK || w.header.Get("Content-Length") != strconv.Itoa(n) ||
		len(w.flushed) != n {
		t.Fatalf("status %d, %d bytes in %d pieces, header %v", w.status, n, len(w.flushed), w.header)
	}
	for i, length := range w.flushed {
		if length != i+1 {
			t.Fatalf("flush %d is at %d bytes", i+1, length)
		}
	}
}

func TestDripArrivesWhole(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"token": "drip:1ms", "submission": "drip:1ms"}})
	if r := h.submit(h.token(), minimal); r.status != http.StatusCreated || r.err != nil ||
		!uuidV4.MatchString(fmt.Sprint(h.members(r)["notification_id"])) {
		t.Errorf("got %d %q, %v", r.status, r.body, r.err)
	}
}
