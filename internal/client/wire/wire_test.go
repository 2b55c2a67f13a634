package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
	"github.com/notification/terraform-provider-notification/internal/memnet"
)

func TestMain(m *testing.M) {
	emulatortest.ClearEnvironment()
	goleak.VerifyTestMain(m)
}

// request returns a Request for address, which must be valid. Only GET may be repeated.
func request(method, address string) Request {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	r := Request{Method: method, URL: u, Header: http.Header{}, Limit: 100, Number: 1}
	if r.MayRepeat = method == http.MethodGet; !r.MayRepeat {
		r.Body = []byte("b")
	}
	return r
}

// Errors quote the id that a gateway gave the request.
func TestServerID(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"x-request-id", "x-correlation-id", "request-id", "x-amzn-requestid", "x-ms-request-id",
		"x-trace-id", "cf-ray", "apigw-requestid", "x-kong-request-id", "activityid", "x-amz-cf-id",
	} {
		attempt := &Attempt{Header: http.Header{}}
		attempt.Header.Set(name, "an id")
		if attempt.ServerID() != "an id" {
			t.Error(name, "is not read")
		}
	}
}

// The timeout restarts when the request gets a connection, which is also the time in Began.
func TestConnectingIsNotPartOfTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const s = time.Second
		network := memnet.Serve(t, &http.Server{
			Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // or r.Context() would not end
				latency, _ := time.ParseDuration(r.URL.Query().Get("latency"))
				select {
				case <-time.After(latency):
				case <-r.Context().Done():
				}
			}),
			ReadHeaderTimeout: time.Minute,
		})
		dial := func(ctx context.Context, n, a string) (net.Conn, error) {
			time.Sleep(2 * s)
			return network.Dial(ctx, n, a)
		}
		transport := New(Options{RequestTimeout: 3 * s, Dial: dial})
		for latency, want := range map[time.Duration]error{2 * s: nil, 4 * s: ErrAttemptTimeout} {
			began := time.Now()
			r := request(http.MethodPost, "http://a.test/?latency="+latency.String())
			got := transport.Send(t.Context(), r)
			took, sent := time.Since(began), got.Began.Sub(began)
			if !errors.Is(got.Err, want) || !got.Sent || took != 2*s+min(latency, 3*s) || sent != 2*s {
				t.Errorf("%s: took %s, sent after %s: %+v", latency, took, sent, got)
			}
		}
	})
}

// The timeout alone limits a TLS handshake, which net/http continues a second after it.
func TestSlowHandshake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client, server := net.Pipe()
		transport := New(Options{
			RequestTimeout: time.Hour,
			Dial:           func(context.Context, string, string) (net.Conn, error) { return client, nil },
		})
		got := transport.Send(t.Context(), request(http.MethodGet, "https://a.test"))
		if took := time.Since(began); !errors.Is(got.Err, ErrAttemptTimeout) || took != time.Hour {
			t.Errorf("%+v after %s", got, took)
		}
		_, err := io.Copy(io.Discard, server) // until net/http closes the connection
		if took := time.Since(began); err != nil || took != time.Hour+time.Second {
			t.Errorf("closed after %s: %v", took, err)
		}
	})
}

// When an attempt ends, with or without a response, its body is closed, its context is done, and
// nothing waits for the caller's context.
func TestAttemptReleasesResources(t *testing.T) {
	t.Parallel()
	for _, failing := range []error{nil, io.EOF} {
		synctest.Test(t, func(t *testing.T) {
			base := &recordingTransport{err: failing}
			transport := New(Options{RequestTimeout: time.Hour})
			transport.pooled.RegisterProtocol("http", base)
			ctx, cancel := context.WithCancel(t.Context())
			caller := &watchedContext{Context: ctx}
			_ = transport.Send(caller, request(http.MethodGet, "http://a.test/"))
			if base.ctx.Err() == nil || failing == nil && !base.closed {
				t.Errorf("%v: context %v, closed: %t", failing, base.ctx.Err(), base.closed)
			}
			caller.asked = false
			cancel()
			synctest.Wait()
			if caller.asked {
				t.Errorf("%v: the attempt still waits for the caller's context", failing)
			}
		})
	}
}

// recordingTransport is an http.RoundTripper, and the body of its responses.
type recordingTransport struct {
	io.Reader

	err    error           // in place of a response
	ctx    context.Context //nolint:containedctx // inspected by the test
	closed bool
}

func (r *recordingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r.ctx = req.Context()
	hooks := httptrace.ContextClientTrace(req.Context())
	hooks.GotConn(httptrace.GotConnInfo{})
	if r.err != nil {
		return nil, r.err
	}
	r.Reader = http.NoBody
	return &http.Response{StatusCode: http.StatusOK, Body: r, Request: req}, nil
}

func (r *recordingTransport) Close() error { r.closed = true; return nil }

// watchedContext records that its deadline was asked for, as an attempt does when the context ends.
type watchedContext struct {
	context.Context //nolint:containedctx // wraps it

	asked bool
}

func (c *watchedContext) Deadline() (time.Time, bool) {
	c.asked = true
	return c.Context.Deadline()
}
