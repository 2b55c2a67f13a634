package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"terraform-provider-notification/internal/emulator/emulatortest/memnet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inMemory runs test in a bubble of package synctest, with a transport whose
// requests go to handler.
func inMemory(t *testing.T, handler http.HandlerFunc, test func(t *testing.T, transport *Transport)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			_ = server.Serve(network) // ends with Close
		}()
		defer func() {
			_ = server.Close()
			<-stopped
		}()
		test(t, New(time.Minute, "", nil, nil, network.Dial))
	})
}

// request is one to address, which has to be right.
func request(method, address, body string) Request {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return Request{Method: method, URL: u, Header: http.Header{}, Body: []byte(body), Limit: 100, Number: 1}
}

// Bodies are read up to a bound, those of errors up to 64 KiB whatever the bound.
func TestBodies(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status, size, want int
		err                error
	}{
		"whole":           {200, 100, 100, nil},
		"too large":       {201, 101, 100, ErrTooLarge},
		"error":           {500, 64 << 10, 64 << 10, nil},
		"long error":      {404, 64<<10 + 1, 64 << 10, ErrTooLarge},
		"long redirect":   {302, 64<<10 + 1, 64 << 10, ErrTooLarge},
		"empty":           {204, 0, 0, nil},
		"not whole":       {200, -50, 50, io.ErrUnexpectedEOF},
		"error cut off":   {503, -50, 50, io.ErrUnexpectedEOF},
		"byte order mark": {299, 4, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(w http.ResponseWriter, _ *http.Request) {
				body := strings.Repeat("x", max(test.size, -test.size))
				if test.size < 0 {
					w.Header().Set("Content-Length", "100")
				}
				if test.status == 299 {
					body = "\xef\xbb\xbfx"
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, body)
			}, func(t *testing.T, transport *Transport) {
				got := transport.Send(t.Context(), request(http.MethodPost, "http://a.test/b", "c"))
				if got.Err != nil || got.Status != test.status || len(got.Body) != test.want || !errors.Is(got.BodyErr, test.err) || !got.Written {
					t.Errorf("%v, %d, %d bytes, %v", got.Err, got.Status, len(got.Body), got.BodyErr)
				}
			})
		})
	}
}

// Large headers are no answer.
func TestHeadersAreBounded(t *testing.T) {
	inMemory(t, func(w http.ResponseWriter, r *http.Request) {
		size := 1<<20 - 1000
		if r.URL.Path == "/large" {
			size = 1<<20 + 1000
		}
		w.Header().Set("X-Large", strings.Repeat("x", size))
	}, func(t *testing.T, transport *Transport) {
		if got := transport.Send(t.Context(), request(http.MethodGet, "http://a.test/", "")); got.Err != nil || got.Status != 200 {
			t.Errorf("%+v", got)
		}
		got := transport.Send(t.Context(), request(http.MethodGet, "http://a.test/large", ""))
		if got.Err == nil || got.Status != 0 || !strings.Contains(got.Err.Error(), "exceeded") {
			t.Errorf("%+v", got)
		}
	})
}

// An answer that was read gives its connection to the next request: also a redirect
// and an error.
func TestConnectionsAreReused(t *testing.T) {
	var conns atomic.Int32
	inMemory(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			w.Header().Set("Location", "//A.test:80/b?q=1")
			w.WriteHeader(http.StatusFound)
			_, _ = io.WriteString(w, strings.Repeat("x", 10_000))
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, r.URL.String()+strings.Repeat("x", 50_000))
	}, func(t *testing.T, transport *Transport) {
		sockets := transport.base.(*http.Transport)
		dial := sockets.DialContext
		sockets.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conns.Add(1)
			return dial(ctx, network, address)
		}
		for _, path := range []string{"/redirect", "/", "/"} {
			got := transport.Send(t.Context(), request(http.MethodGet, "http://A.test"+path, ""))
			if got.Err != nil || path == "/redirect" && !strings.HasPrefix(string(got.Body), "/b?q=1x") {
				t.Errorf("%+v", got)
			}
		}
		if conns.Load() != 1 {
			t.Errorf("%d connections", conns.Load())
		}
	})
}

// What was sent before, and what an attempt leaves behind.
func TestNothingStartsAfterTheEnd(t *testing.T) {
	inMemory(t, func(http.ResponseWriter, *http.Request) {
		t.Error("a request")
	}, func(t *testing.T, transport *Transport) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		got := transport.Send(ctx, request(http.MethodPost, "http://a.test/", ""))
		if !errors.Is(got.Err, ErrCancelled) || errors.Is(got.Err, ErrTimedOut) || got.Written || !got.Permanent || got.Sent.IsZero() {
			t.Errorf("%+v", got)
		}
	})
}

// An attempt closes its body and ends its context, and lets go of its caller's.
func TestAttemptsEnd(t *testing.T) {
	t.Parallel()
	for _, failing := range []error{nil, io.EOF} {
		base := &recordingTransport{err: failing}
		transport := &Transport{base: base, timeout: time.Hour}
		caller := &watchedContext{Context: t.Context()}
		_ = transport.Send(caller, request(http.MethodGet, "http://a.test/", ""))
		if base.ctx.Err() == nil || failing == nil && !base.closed {
			t.Errorf("%v: context %v, closed: %t", failing, base.ctx.Err(), base.closed)
		}
		if caller.watching != 0 {
			t.Errorf("%v: %d functions still wait for the caller's end", failing, caller.watching)
		}
	}
}

// Until its answer came, a request may have been written whole when net/http had it in
// its buffer, or when as many bytes were written as it has in its body.
func TestWrittenBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bytes    int64
		complete bool
		want     bool
	}{{1, true, true}, {10, false, true}, {9, false, false}} {
		transport := &Transport{base: &recordingTransport{bytes: test.bytes, complete: test.complete}, timeout: time.Hour}
		got := transport.Send(t.Context(), request(http.MethodPost, "http://a.test/", "ten bytes."))
		if got.Err != nil || got.Written != test.want {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}

type recordingTransport struct {
	bytes    int64 // written before the answer came
	complete bool

	err    error
	ctx    context.Context //nolint:containedctx // to look at afterwards
	closed bool
}

func (r *recordingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r.ctx = req.Context()
	conn, hooks := new(countingConn), httptrace.ContextClientTrace(req.Context())
	hooks.GotConn(connInfo(conn))
	conn.written.Add(r.bytes)
	if r.complete {
		hooks.WroteRequest(wroteInfo(nil))
	}
	if r.err != nil {
		return nil, r.err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: r, Request: req}, nil
}

func (r *recordingTransport) Read([]byte) (int, error) { return 0, io.EOF }
func (r *recordingTransport) Close() error             { r.closed = true; return nil }

// watchedContext counts the functions that wait for its end.
type watchedContext struct {
	context.Context //nolint:containedctx // wraps it

	watching int
}

func (c *watchedContext) AfterFunc(f func()) func() bool {
	c.watching++
	stop := context.AfterFunc(c.Context, f)
	return func() bool { c.watching--; return stop() }
}

// A proxy that refuses says so for good; one that has trouble may be asked again.
func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	for status, permanent := range map[int]bool{403: true, 407: true, 408: false, 429: false, 500: false, 503: false} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		transport := New(time.Minute, "", nil, nil, nil)
		transport.base.(*http.Transport).Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }
		got := transport.Send(t.Context(), request(http.MethodPost, "https://a.test/", "b"))
		want := strings.TrimPrefix(proxy.URL, "http://") + " refused to connect: "
		if got.Err == nil || got.Permanent != permanent || got.Written || !strings.Contains(got.Err.Error(), want) {
			t.Errorf("%d: %+v", status, got)
		}
		proxy.Close()
	}
}

// Only HTTP/1.1, whatever the server offers, and with TLS sessions that are resumed.
func TestTLS(t *testing.T) {
	t.Parallel()
	var resumed atomic.Bool
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resumed.Store(r.TLS.DidResume)
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	transport := New(time.Minute, "", server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs, nil, nil)
	for _, again := range []bool{false, true} {
		got := transport.Send(t.Context(), request(http.MethodGet, server.URL, ""))
		if got.Err != nil || string(got.Body) != "HTTP/1.1" || resumed.Load() != again {
			t.Errorf("%+v, resumed: %t", got, resumed.Load())
		}
		transport.base.(*http.Transport).CloseIdleConnections()
	}
}
