package emulator

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

const unknownToken = "the token is unknown, or has been revoked"

// Each fault changes the response to a valid request, and what the ledger says of it.
func TestFaultResponses(t *testing.T) {
	t.Parallel()
	const (
		problemType, html = "application/problem+json", "text/html; charset=utf-8"
		created           = `{"notification_id":"`
		none              = "" // the body must be empty
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
		// fault, status, Content-Type, body, header, accepted, reason
		{"submission=status:429:7", 429, problemType, `"detail":"an injected fault`, "Retry-After: 7", 0,
			injected},
		{"submission=status:599", 599, problemType, `"title":"Status 599"`, "Retry-After: ", 0, injected},
		{"submission=status:202:3", 202, "", none, "Retry-After: 3", 0, injected},
		{"submission=status-after:500", 500, problemType, "Internal Server Error", "", 1, injected},
		{"submission=status-after:202:3", 202, jsonType, created, "Retry-After: 3", 1, ""},
		{"submission=status-after:302", 302, jsonType, created, "Location: ", 1, injected},
		{"submission=html", 200, html, "<!DOCTYPE html>", "", 0, injected},
		{`submission=json:{"id":[4,2]}`, 200, jsonType, `{"id":[4,2]}`, "", 0, injected},
		{`submission=json-after:{"a":[1],"b":2}`, 200, jsonType, `{"a":[1],"b":2}`, "", 1, ""},
		{`submission=json:422:{"detail":"no"}`, 422, jsonType, `{"detail":"no"}`, "", 0, injected},
		{"submission=redirect:308:http://a:1/x", 308, "", none, "Location: http://a:1/x", 0, injected},
		{"submission=redirect-after:303:/x", 303, "", none, "Location: /x", 1, injected},
		{"submission=empty", 201, "", none, "Content-Length: 0", 1, ""},
		{"submission=truncate", 201, jsonType, created, "Content-Length: 58", 1, ""},
		{"submission=revoke", 401, problemType, "revoked", "", 0, unknownToken},

		{"token=status:429:1", 429, jsonType, `{"error":"temporarily_unavailable"`, "Retry-After: 1", 0,
			injected},
		{"token=status:500", 500, jsonType, `{"error":"server_error"`, "", 0, injected},
		{"token=status:401", 401, jsonType, `{"error":"invalid_client"`, "", 0, injected},
		{"token=status:403", 403, jsonType, `{"error":"unauthorized_client"`, "", 0, injected},
		{"token=status:400", 400, jsonType, `{"error":"invalid_request"`, "", 0, injected},
		// These do not accept a submission with an unknown token.
		{"invalid=status-after:202", 202, problemType, "unknown", "", 0, unknownToken},
		{"invalid=empty", 401, "", none, "", 0, unknownToken},
	} {
		h := newHarness(t, Config{})
		token := h.token()
		target, step, _ := strings.Cut(test.fault, "=")
		if target == "invalid" {
			target, token = "submission", "unknown"
		}
		if err := h.SetFaults(Faults{target: step}); err != nil {
			t.Fatal(err)
		}
		var r result
		if target == "token" {
			r = h.requestToken(credentials())
		} else {
			r = h.submit(token, minimal)
		}
		l := h.Ledger()
		recorded := h.recorded(1)
		name, _, _ := strings.Cut(test.header, ": ")
		got := test
		got.status, got.contentType = r.status, r.header.Get("Content-Type")
		got.accepted, got.reason = l.Notifications, recorded.Reason
		if name != "" {
			got.header = name + ": " + r.header.Get(name)
		}
		if test.body == none || !strings.Contains(r.body, test.body) {
			got.body = r.body
		}
		if got != test || recorded.Fault != step || recorded.Status != r.status ||
			errors.Is(r.err, io.ErrUnexpectedEOF) != (step == "truncate" && len(r.body) == 58/2) {
			t.Errorf("got  %+v\nwant %+v\nrecorded %+v, %v", got, test, recorded, r.err)
		}
	}
}

// Concurrent requests each take one step of a fault, in the order of the ledger. One of those that
// are served under the same key is accepted.
func TestConcurrentSubmissions(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{
		IdempotencyKeyHeader: keyHeader,
		Faults:               Faults{"submission": "status:503*10,pass,empty*9"},
	})
	token := h.token()
	var results []<-chan result
	for range 40 {
		results = append(results, h.begin(h.submission(token, minimal, "k")))
	}
	for _, r := range results {
		<-r
	}
	var met []string
	for _, r := range h.Ledger().Requests[1:] {
		met = append(met, r.Fault)
	}
	want := slices.Concat(slices.Repeat([]string{"status:503"}, 10), []string{""},
		slices.Repeat([]string{"empty"}, 9), make([]string, 20))
	if !slices.Equal(met, want) {
		t.Errorf("met %q", met)
	}
	h.wantCounts(1, 29)
}

// Only on a socket is a reset different from an orderly close. Windows has its own error numbers:
// WSAECONNRESET, and WSAECONNABORTED for a write after a reset. Under Wine, most resets look like
// an orderly close.
func TestResets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault, body string
		accepted    int
		reason      string
	}{
		{"reset-before", minimal, 0, injected},
		{"reset-after", minimal, 1, injected},
		{"reset-after", "{}", 0, "channels is missing or empty"},
	} {
		h := newHarness(t, Config{Faults: Faults{"submission": test.fault}})
		request := h.submission(h.token(), test.body)
		server := httptest.NewUnstartedServer(nil)
		server.Config = h.NewServer()
		server.Start()
		t.Cleanup(server.Close)
		request.URL.Host = server.Listener.Addr().String()
		h.client.Transport = new(http.Transport) // not on the in-memory network
		r := h.send(request)
		if !errors.Is(r.err, syscall.ECONNRESET) && !errors.Is(r.err, syscall.Errno(10054)) &&
			!errors.Is(r.err, syscall.Errno(10053)) &&
			(runtime.GOOS != "windows" || !errors.Is(r.err, io.EOF)) {
			t.Errorf("%+v: got %+v", test, r)
		}
		h.wantCounts(test.accepted, 0)
		got := h.recorded(1)
		if got.Status != 0 || got.Fault != test.fault || got.Reason != test.reason {
			t.Errorf("%+v: recorded %+v", test, got)
		}
	}
}

// A submission that is served is accepted before its response is delayed. A fault that waits ends
// when its time is over, when the client leaves, and at a shutdown, which sends delayed responses
// and closes connections that hang.
func TestWaits(t *testing.T) {
	t.Parallel()
	const second, never = time.Second, 1000 * time.Hour
	for _, test := range []struct {
		fault           string
		leave, shutdown time.Duration // when
		took            time.Duration
		status          int
		err             error
		accepted        int
		reason          string
	}{
		// fault, when the client leaves, when the server shuts down, duration, status, error, accepted,
		// reason
		{"delay:20ms", never, never, 20 * time.Millisecond, 201, nil, 1, ""},
		{"delay:1h", second, never, second, 0, context.Canceled, 1,
			"the client left before the response"},
		{"hang", second, never, second, 0, context.Canceled, 0, injected},
		{"hang-after", second, never, second, 0, context.Canceled, 1, injected},
		{"delay:1h", never, second, second, 201, nil, 1, ""},
		{"hang", never, second, second, 0, io.EOF, 0, injected},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, Config{Faults: Faults{"submission": test.fault}})
			ctx, leave := context.WithTimeout(t.Context(), never)
			defer leave()
			time.AfterFunc(test.leave, leave)
			time.AfterFunc(test.shutdown, func() { _ = h.server.Shutdown(t.Context()) })
			began := time.Now()
			done := h.begin(h.submission(h.token(), minimal).WithContext(ctx))
			synctest.Wait()
			before := h.Ledger().Notifications
			r := <-done
			took := time.Since(began)
			synctest.Wait()
			if r.status != test.status || !errors.Is(r.err, test.err) || took != test.took {
				t.Errorf("%+v: got %+v after %s", test, r, took)
			}
			l := h.Ledger()
			recorded := h.recorded(1)
			if before != test.accepted || l.Notifications != test.accepted ||
				recorded.Status != test.status || recorded.Reason != test.reason {
				t.Errorf("%+v: accepted %d, then %d, recorded %+v", test, before, l.Notifications, recorded)
			}
		})
	}
}
