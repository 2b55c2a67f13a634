package client

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A proxy whose upstream broke off after it had taken the request says so with 503 too. Only a 503
// with Retry-After and JSON is the service's own.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	for body, retried := range map[string]bool{
		`{"title":"busy"}`: true,
		"\xef\xbb\xbf []":  true,
		// Varnish
		`<!DOCTYPE html><html><head><title>503 Backend fetch failed</title></head></html>`: false,
		"":                       false,
		"upstream connect error": false,
		`"busy"`:                 false,
		"503":                    false,
		`{"title":"bu`:           false,
		`{"title":"` + strings.Repeat("x", 70_000) + `"}`: false, // too long to be read whole
	} {
		synctest.Test(t, func(t *testing.T) {
			var requests atomic.Int32
			c := scriptedClient(t, answering(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if requests.Add(1) > 1 {
					_, _ = io.WriteString(w, `{"notification_id":"x"}`)
					return
				}
				w.Header().Set("Retry-After", "5")
				w.WriteHeader(http.StatusServiceUnavailable)
				_, _ = io.WriteString(w, body)
			}), nil)
			_, err := c.SubmitNotification(t.Context(), aNotification(), "")
			if retried != (err == nil) || retried != (requests.Load() == 2) {
				t.Errorf("%.30s: %d requests, %v", body, requests.Load(), err)
			}
			if err != nil && !failure(t, err).Ambiguous {
				t.Errorf("%.30s: %v", body, err)
			}
		})
	}
}

// A server that gives up waiting for the rest of a request has not taken it.
func TestRequestTimeout(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"whole": 10, "not whole": 200_000} {
		synctest.Test(t, func(t *testing.T) {
			const raw = "HTTP/1.1 408 Request Timeout\r\n" +
				"Content-Length: 0\r\nConnection: close\r\n\r\n"
			c := scriptedClient(t, answeringRaw(raw, time.Second), nil)
			request := aNotification()
			request.Channels[0].Fields = map[string]string{"text": strings.Repeat("x", size)}
			_, err := c.SubmitNotification(t.Context(), request, "")
			want := map[string]int{"whole": 1, "not whole": 5}[name] // attempts
			if failed := failure(t, err); failed.Ambiguous != (want == 1) ||
				failed.Attempts != want || failed.Status != http.StatusRequestTimeout {
				t.Errorf("%s: %+v", name, failed)
			}
			time.Sleep(time.Second)
		})
	}
}

// An alert about this client's certificate says that a request was not looked at, although it was
// written.
func TestCertificateAlert(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		accepting := answeringWith(201, "", "", `{"notification_id":"x"}`)
		c := scriptedClient(t, accepting, func(config *Config) {
			dial := config.Dial
			config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dial(ctx, network, address)
				return alertingConn{conn}, err
			}
		})
		holdToken(c)
		failed := notSubmitted(t, c)
		if failed.Ambiguous || failed.Attempts != 1 || !failed.CertificateRefused() {
			t.Errorf("%+v", failed)
		}
	})
}

// alertingConn reads an alert in place of an answer.
type alertingConn struct{ net.Conn }

func (c alertingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == nil {
		return 0, &net.OpError{Op: "remote error", Err: tls.AlertError(45)}
	}
	return n, err
}
