package emulator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator/emulatortest/memnet"
)

// The ledger forgets what is oldest; its counts stay right.
func TestLedgerLimit(t *testing.T) {
	t.Parallel()
	const limit, sent = 60_000, 100
	h := newHarness(t, Config{LedgerLimit: limit})
	token := h.token()
	for i := range sent {
		body := fmt.Sprintf(`{"channels":[{"type":"slack","subject":"s%d"}],"priority":"HIGH"}`, i)
		if r := h.submit(token, body); r.status != http.StatusCreated {
			t.Fatalf("got %d %s", r.status, r.body)
		}
		h.submit(token, "{")
	}
	l := h.e.Ledger()
	if l.Notifications != sent || l.SubmissionRequests != 2*sent || l.TokenRequests != 1 || l.Connections != 1 {
		t.Errorf("miscounted: %+v", l)
	}
	text, err := json.Marshal(l)
	if size := memoryPerByte * len(text); err != nil || size > limit+limit/10 || size < limit-limit/10 {
		t.Errorf("%v, the ledger has %d bytes", err, size)
	}
	last := l.Submissions[len(l.Submissions)-1].Channels[0].Subject
	first := l.Submissions[0].Channels[0].Subject
	if last != "s99" || first != fmt.Sprintf("s%d", sent-len(l.Submissions)) || len(l.Requests) < 10 {
		t.Errorf("%d submissions from %s to %s are left", len(l.Submissions), first, last)
	}
	h.e.ClearLedger()
	h.submit(token, minimal)
	if l := h.e.Ledger(); len(l.Submissions) != 1 || len(l.Requests) != 1 {
		t.Errorf("after clearing it holds %+v", l)
	}
}

// A request that is dropped while it waits must not be weighed later.
func TestLedgerLimitAndRequestsInFlight(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{LedgerLimit: 15_000, Faults: Faults{"token": "delay:1h"}})
	answered := make(chan struct{})
	request := h.request(http.MethodPost, tokenPath, credentials())
	go func() {
		defer close(answered)
		_, _ = h.try(request)
	}()
	h.eventually("the request arrives", func() bool { return h.e.Ledger().TokenRequests == 1 })
	for range 50 {
		h.lookUp("unknown", "?name=ATLAS")
	}
	h.e.Close()
	<-answered
	h.srv.Close()
	h.checkSize(9_000, 15_000)
}

// An outcome that changes, here because there is no connection to close, is weighed once.
func TestLedgerLimitAndOutcomesThatChange(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"token": "hang"}})
	h.e.Close()
	h.e.ServeHTTP(httptest.NewRecorder(),
		httptest.NewRequestWithContext(t.Context(), http.MethodPost, tokenPath, nil))
	h.checkSize(100, 3_000)
}

// checkSize compares the size that the limit goes by with that of the records.
func (h *harness) checkSize(least, most int) {
	h.Helper()
	sum := 0
	for _, kept := range h.e.book.records {
		sum += memoryPerByte * kept.Size
	}
	if h.e.book.size != sum || sum < least || sum > most {
		h.Errorf("the size is said to be %d, but is %d", h.e.book.size, sum)
	}
}

func TestTokensThatAreNoLongerValidAreForgotten(t *testing.T) {
	t.Parallel()
	e := newEmulator(t, Config{TokenLifetime: time.Minute})
	now := time.Now()
	e.now = func() time.Time { return now }
	for range 10 * sweepTokens {
		now = now.Add(time.Second)
		e.issue(nil, time.Minute)
	}
	if n := len(e.tokens); n > sweepTokens {
		t.Errorf("%d tokens are kept", n)
	}
	lasting := e.issue(nil, 0)
	for range 2 * sweepTokens {
		now = now.Add(time.Hour)
		e.issue(nil, time.Minute)
	}
	if _, kept := e.tokens[lasting]; !kept {
		t.Error("a token that does not expire is forgotten")
	}
}

// inMemory serves an emulator under the fake clock of a bubble, and returns how to connect to it.
func inMemory(t *testing.T, e *Emulator) func() net.Conn {
	network := memnet.New()
	server := e.NewServer()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = server.Serve(network)
	}()
	t.Cleanup(func() {
		e.Close()
		_ = server.Close()
		<-stopped
	})
	return func() net.Conn {
		conn, err := network.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
}

func TestBodyThatStalls(t *testing.T) {
	t.Parallel()
	for _, path := range []string{submissionPath, tokenPath, "/_emulator/faults"} {
		synctest.Test(t, func(t *testing.T) {
			e := newEmulator(t, Config{})
			token := e.issue([]string{scopeWrite}, 0)
			conn := inMemory(t, e)()
			began := time.Now()
			kind := "application/json"
			if path == tokenPath {
				kind = "application/x-www-form-urlencoded"
			}
			go func() {
				_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"+
					"Content-Length: 100\r\n", path, kind)
				if path == submissionPath {
					_, _ = fmt.Fprintf(conn, "Authorization: Bearer %s\r\n", token)
				}
				_, _ = io.WriteString(conn, "\r\n{")
			}()
			answer, err := io.ReadAll(conn)
			want := "HTTP/1.1 408"
			if path == "/_emulator/faults" {
				want = "HTTP/1.1 400"
			}
			if err != nil || !strings.HasPrefix(string(answer), want) || time.Since(began) != readTime {
				t.Errorf("%s: got %q, %v after %s", path, answer, err, time.Since(began))
			}
		})
	}
}

// The deadline is that of the body: an answer may be later.
func TestAnswerThatIsLaterThanTheBodyMayBe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEmulator(t, Config{Faults: Faults{"submission": "delay:1h,delay:1h"}})
		conn := inMemory(t, e)()
		began := time.Now()
		go func() {
			for _, connection := range []string{"keep-alive", "close"} {
				_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: %s\r\n"+
					"Content-Length: 2\r\n\r\n{}", submissionPath, connection)
			}
		}()
		answers, err := io.ReadAll(conn)
		if err != nil || strings.Count(string(answers), "HTTP/1.1 401") != 2 || time.Since(began) != 2*time.Hour {
			t.Errorf("got %q, %v after %s", answers, err, time.Since(began))
		}
	})
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
	if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n\r\n", submissionPath); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second): // far beyond drainTime, on any machine
		t.Error("it waits for the client")
		_ = conn.Close() // or the server would wait too
	}
}

// gone is a client that left after some bytes of the body.
type gone struct {
	writer
	after  int
	writes int
	leave  func()
}

func (g *gone) Write(b []byte) (int, error) {
	g.writes++
	if g.writes == g.after && g.leave != nil {
		g.leave()
	}
	if g.writes > g.after && g.leave == nil {
		return 0, net.ErrClosed
	}
	return g.writer.Write(b)
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
			client := &gone{writer: writer{header: make(http.Header)}, after: 3}
			if test.notice {
				client.leave = leave
			}
			x := &exchange{w: client, fault: step{name: "drip", duration: 100 * time.Second}}
			began := time.Now()
			e.drip(ctx, x, make([]byte, 100))
			if client.writes != test.writes || time.Since(began) != test.took {
				t.Errorf("%s: %d writes in %s", test.name, client.writes, time.Since(began))
			}
		})
	}
}
