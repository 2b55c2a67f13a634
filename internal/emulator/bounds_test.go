package emulator

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
)

func TestTokensThatAreNoLongerValidAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEmulator(t, Config{})
		for range 10 * sweepTokens {
			time.Sleep(time.Second)
			e.issue(nil, time.Minute)
		}
		if n := len(e.tokens.known); n > sweepTokens {
			t.Errorf("%d tokens are kept", n)
		}
		lasting := e.issue(nil, 0)
		for range 2 * sweepTokens {
			time.Sleep(time.Hour)
			e.issue(nil, time.Minute)
		}
		if _, kept := e.tokens.known[lasting]; !kept {
			t.Error("a token that does not expire is forgotten")
		}
	})
}

// connect returns a connection in memory.
func (h *harness) connect() net.Conn {
	h.Helper()
	conn, err := h.client.Transport.(*http.Transport).DialContext(h.Context(), "", "")
	if err != nil {
		h.Fatal(err)
	}
	return conn
}

// The server waits for another request, and for the rest of a body. The deadline of a body is not
// that of the answer, which may be later.
func TestTimeLimits(t *testing.T) {
	t.Parallel()
	const stalls = "Host: localhost\r\nContent-Length: 100\r\n"
	const late = "POST " + studiesPath + " HTTP/1.1\r\nHost: localhost\r\n" +
		"Content-Length: 2\r\nConnection: "
	for name, test := range map[string]struct {
		request string // with TOKEN for an access token
		status  string // of each answer
		answers int
		took    time.Duration
	}{
		"idle": {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200", 1, idleTime},
		"submission": {"POST " + submissionPath + " HTTP/1.1\r\n" + stalls +
			"Authorization: Bearer TOKEN\r\nContent-Type: application/json\r\n\r\n{", "408", 1, readTime},
		"token request": {"POST " + tokenPath + " HTTP/1.1\r\n" + stalls +
			"Content-Type: " + formType + "\r\n\r\n{", "408", 1, readTime},
		"administration": {
			"POST /_emulator/faults HTTP/1.1\r\n" + stalls + "\r\n{", "400", 1, readTime,
		},
		"late answers": {
			late + "keep-alive\r\n\r\n{}" + late + "close\r\n\r\n{}", "405", 2, 2 * time.Hour,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, Config{Faults: Faults{"studies": "delay:1h*2"}})
			request := strings.Replace(test.request, "TOKEN", h.token(), 1)
			conn := h.connect()
			began := time.Now()
			go func() { _, _ = io.WriteString(conn, request) }()
			answer, err := io.ReadAll(conn)
			if n := strings.Count(string(answer), "HTTP/1.1 "+test.status); err != nil ||
				n != test.answers || time.Since(began) != test.took {
				t.Errorf("%s: got %.200q, %v after %s", name, answer, err, time.Since(began))
			}
		})
	}
}

// A client that keeps its side of a broken connection open must not keep the handler.
func TestDrainEnds(t *testing.T) {
	t.Parallel()
	e := newEmulator(t, Config{Faults: Faults{"submission": "close-before"}})
	e.drainTime = 10 * time.Millisecond
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		e.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n\r\n", submissionPath)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second): // far beyond drainTime, on any machine
		t.Error("it waits for the client")
		_ = conn.Close() // or the server would wait too
	}
}

// The body arrives in bytes, over as long as the fault says.
func TestDripInBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{Faults: Faults{"submission": "drip:58s"}})
		token, conn := h.token(), h.connect()
		began := time.Now()
		go func() {
			_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"+
				"Authorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
				submissionPath, token, len(minimal), minimal)
		}()
		piece := make([]byte, 4096)
		n, err := conn.Read(piece) // the header comes with the first one
		if head := string(piece[:n]); err != nil || !strings.HasSuffix(head, "\r\n\r\n{") ||
			!strings.Contains(head, "Content-Length: 58") || time.Since(began) != time.Second {
			t.Errorf("got %q, %v after %s", head, err, time.Since(began))
		}
		for second := 2; second <= 58; second++ {
			n, err := conn.Read(piece)
			if took := time.Since(began); n != 1 || err != nil ||
				took != time.Duration(second)*time.Second {
				t.Errorf("got %q, %v after %s", piece[:n], err, took)
			}
		}
	})
}

// gone is a client that left after three bytes of the body.
type gone struct {
	*httptest.ResponseRecorder
	writes int
	leave  func() // tells the server; nil: the next write fails
}

func (g *gone) Write(b []byte) (int, error) {
	switch g.writes++; {
	case g.writes == 3 && g.leave != nil:
		g.leave()
	case g.writes > 3 && g.leave == nil:
		return 0, net.ErrClosed
	}
	return g.ResponseRecorder.Write(b)
}

func TestDripToAClientThatLeft(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		notice bool // the server notices at once, or else at the next write
		writes int
		took   time.Duration
	}{
		{"the server notices", true, 3, 3 * time.Second},
		{"a write fails", false, 4, 4 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := newEmulator(t, Config{})
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			client := &gone{ResponseRecorder: httptest.NewRecorder()}
			if test.notice {
				client.leave = leave
			}
			x := &exchange{w: client, fault: fault.Step{Name: "drip", Duration: 100 * time.Second}}
			began := time.Now()
			e.drip(ctx, x, make([]byte, 100))
			if client.writes != test.writes || time.Since(began) != test.took {
				t.Errorf("%s: %d writes in %s", test.name, client.writes, time.Since(began))
			}
		})
	}
}
