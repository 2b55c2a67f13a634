package emulator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// Each fault changes the response to a valid request as expected.
func TestFaultResponses(t *testing.T) {
	t.Parallel()
	const (
		problemType, jsonType = "application/problem+json", "application/json"
		htmlType              = "text/html; charset=utf-8"
		created, tokenJSON    = `{"notification_id":"`, `{"access_token":"emu_`
		none                  = "" // the body must be empty
	)
	for _, test := range []struct {
		fault       string // TARGET=STEP
		status      int
		contentType string
		body        string // contained in the body
		header      string // NAME: VALUE
		accepted    int
		reason      string
	}{
		{"submission=status:503:7", 503, problemType, `"detail":"an injected fault`, "Retry-After: 7", 0, injected},
		{"submission=status:599", 599, problemType, `"title":"Status 599"`, "Retry-After: ", 0, injected},
		{"submission=status:399", 399, "", none, "Location: ", 0, injected},
		{"submission=status:202", 202, "", none, "", 0, injected},
		{"submission=status:401", 401, problemType, "Unauthorized", "", 0, injected},
		{"submission=status-after:500", 500, problemType, "Internal Server Error", "", 1, injected},
		{"submission=status-after:202:3", 202, jsonType, created, "Retry-After: 3", 1, ""},
		{"submission=status-after:204", 204, "", none, "", 1, ""},
		{"submission=html", 200, htmlType, "<!DOCTYPE html>", "", 0, injected},
		{"submission=html-after", 200, htmlType, "<!DOCTYPE html>", "", 1, ""},
		{`submission=json:{"id":[4,2]}`, 200, jsonType, `{"id":[4,2]}`, "", 0, injected},
		{`submission=json-after:{}`, 200, jsonType, `{}`, "", 1, ""},
		{"submission=redirect:307:http://a:1/x", 307, "", none, "Location: http://a:1/x", 0, injected},
		{"submission=redirect-after:303:/x", 303, "", none, "Location: /x", 1, injected},
		{"submission=empty", 201, "", none, "Content-Length: 0", 1, ""},
		{"submission=delay:1ms", 201, jsonType, created, "", 1, ""},
		{"submission=revoke", 401, problemType, "revoked", "", 0, "the token is unknown, or has been revoked"},

		{"token=status:429:1", 429, jsonType, `{"error":"temporarily_unavailable"`, "Retry-After: 1", 0, injected},
		{"token=status:500", 500, jsonType, `{"error":"server_error"`, "", 0, injected},
		{"token=status:401", 401, jsonType, `{"error":"invalid_client"`, "", 0, injected},
		{"token=status:403", 403, jsonType, `{"error":"unauthorized_client"`, "", 0, injected},
		{"token=status:499", 499, jsonType, `{"error":"invalid_request"`, "", 0, injected},
		{"token=empty", 200, "", none, "", 0, ""},
		{"token=revoke", 200, jsonType, tokenJSON, "Cache-Control: no-store", 0, ""},

		{"studies=status-after:200", 200, jsonType, `[{"id":`, "", 0, ""},
		{"studies=status:404", 404, problemType, "Not Found", "", 0, injected},
	} {
		t.Run(strings.ReplaceAll(test.fault, "/", "|"), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{})
			token := h.token()
			target, step, _ := strings.Cut(test.fault, "=")
			if err := h.e.SetFaults(Faults{target: step}); err != nil {
				t.Fatal(err)
			}
			var r result
			switch target {
			case "token":
				r = h.requestToken(credentials())
			case "submission":
				r = h.submit(token, minimal)
			default:
				r = h.lookUp(token, "?name=ATLAS")
			}
			name, value, _ := strings.Cut(test.header, ": ")
			if r.status != test.status || r.header.Get("Content-Type") != test.contentType ||
				!strings.Contains(r.body, test.body) || test.body == none && r.body != "" ||
				r.header.Get(name) != value || r.err != nil {
				t.Errorf("got %+v", r)
			}
			got := h.e.Ledger().Requests[1]
			if got.Fault != step || got.Status != r.status || got.Reason != test.reason {
				t.Errorf("recorded %+v", got)
			}
			if n := h.e.Ledger().Notifications; n != test.accepted {
				t.Errorf("%d notifications", n)
			}
		})
	}
}

// Faults that serve a request first do not accept an invalid one.
func TestFaultsDoNotAcceptInvalidRequests(t *testing.T) {
	t.Parallel()
	for fault, status := range map[string]int{
		"status-after:202": 202, "empty": 401, "truncate": 401, "delay:1ms": 401, "hang-after": 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, Config{Faults: Faults{"submission": fault}})
			done := h.begin(h.submission("unknown", minimal))
			synctest.Wait()
			h.e.Close()
			r, l := <-done, h.e.Ledger()
			if r.status != status || l.Notifications != 0 || l.Requests[0].Status != status ||
				l.Requests[0].Reason != "the token is unknown, or has been revoked" {
				t.Errorf("%s: got %+v, recorded %+v", fault, r, l.Requests)
			}
		})
	}
}

// Concurrent requests each take one step, in the order of the ledger.
func TestFaultsAreTakenOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"submission": "status:503*10,pass,empty*9"}})
	token := h.token()
	var results []<-chan result
	for range 40 {
		results = append(results, h.begin(h.submission(token, minimal)))
	}
	counts := make(map[int]int)
	for _, r := range results {
		counts[(<-r).status]++
	}
	if counts[503] != 10 || counts[201] != 30 || h.e.Ledger().Notifications != 30 {
		t.Errorf("statuses are %v", counts)
	}
	var met []string
	for _, r := range h.e.Ledger().Requests[1:] {
		met = append(met, r.Fault)
	}
	want := strings.Repeat("status:503 ", 10) + " " + strings.Repeat("empty ", 9) + strings.Repeat(" ", 19)
	if got := strings.Join(met, " "); got != want {
		t.Errorf("got %q", got)
	}
}

// raw sends a submission over a new connection, and returns everything received and the error that
// ended the connection (nil: an orderly close).
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
		return "", err // the reset came before the request was written
	}
	text, err := io.ReadAll(conn)
	return string(text), err
}

// ended reports whether err is the end of a connection by a reset or, without reset, by an orderly
// close. Windows has its own error numbers: WSAECONNRESET, and WSAECONNABORTED for a write after a
// reset. Under Wine, most resets look like an orderly close.
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
		token    string // empty: a valid one
		reset    bool
		accepted int
		reason   string
	}{
		{"reset-before", "", true, 0, injected},
		{"close-before", "", false, 0, injected},
		{"reset-after", "", true, 1, injected},
		{"close-after", "", false, 1, injected},
		{"reset-after", "x", true, 0, "the token is unknown, or has been revoked"},
		{"close-after", "x", false, 0, "the token is unknown, or has been revoked"},
	} {
		t.Run(test.fault+test.token, func(t *testing.T) {
			t.Parallel()
			h := newTCPHarness(t, newEmulator(t, Config{Faults: Faults{"submission": test.fault}}))
			token := test.token
			if token == "" {
				token = h.token()
			}
			h.e.ClearLedger()
			// More than a server reads together with the header, so that data is unread when
			// reset-before and close-before act.
			body := strings.Replace(minimal, "slack", strings.Repeat("x", 100_000), 1)
			text, err := h.raw(token, body)
			if text != "" || !ended(err, test.reset) {
				t.Errorf("got %q, %v; want no response, reset %t", text, err, test.reset)
			}
			l := h.e.Ledger()
			if l.Notifications != test.accepted || l.SubmissionRequests != 1 || l.Connections != 1 {
				t.Errorf("recorded %+v", l)
			}
			if r := l.Requests[0]; r.Status != 0 || r.Fault != test.fault || r.Reason != test.reason {
				t.Errorf("recorded %+v", r)
			}
		})
	}
}

// Even a client that is still writing sees an orderly close.
func TestCloseBeforeWithLargeBody(t *testing.T) {
	t.Parallel()
	h := newTCPHarness(t, newEmulator(t, Config{Faults: Faults{"submission": "close-before"}}))
	if text, err := h.raw("unread", strings.Repeat("x", 8*maxBody)); text != "" || err != nil {
		t.Errorf("got %q, %v", text, err)
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

func TestDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{Faults: Faults{"submission": "delay:20ms"}})
		token := h.token()
		for _, want := range []time.Duration{20 * time.Millisecond, 0} {
			began := time.Now()
			r := h.submit(token, minimal)
			if took := time.Since(began); took != want || r.status != http.StatusCreated {
				t.Errorf("got %d after %s, want %s", r.status, took, want)
			}
		}
	})
}

// A submission that is served is accepted before its response is delayed.
func TestClientDisconnects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault    string
		accepted int
		reason   string
	}{
		{"delay:1h", 1, "the client left before the response"},
		{"hang", 0, injected},
		{"hang-after", 1, injected},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, Config{Faults: Faults{"submission": test.fault}})
			ctx, giveUp := context.WithCancel(t.Context())
			done := h.begin(h.submission(h.token(), minimal).WithContext(ctx))
			synctest.Wait()
			if n := len(h.e.Ledger().Submissions); n != test.accepted {
				t.Errorf("%s: %d submissions before the client disconnects", test.fault, n)
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

// Shutdown ends every wait: delayed responses are sent, and connections that hang are closed.
func TestShutdownEndsWaits(t *testing.T) {
	t.Parallel()
	for fault, status := range map[string]int{"hang": 0, "delay:1h": 201} {
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

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodPost, "/nowhere/v1", minimal), http.StatusNotFound, "/nowhere/v1")
	for path, allowed := range map[string]string{
		tokenPath:      http.MethodPost,
		submissionPath: http.MethodPost,
		studiesPath:    http.MethodGet,
	} {
		r := h.do(http.MethodPut, path, "")
		h.wantProblem(r, http.StatusMethodNotAllowed, allowed)
		if got := r.header.Get("Allow"); got != allowed {
			t.Errorf("%s: Allow is %q, want %q", path, got, allowed)
		}
	}
}
