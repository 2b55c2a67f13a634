package emulator

import (
	"net/http"
	"strings"
	"testing"
)

// keyHeader is not Idempotency-Key, which makes Go's transport retry requests.
const keyHeader = "Notification-Key"

// submissionUnder returns a submission with the idempotency keys, each in a separate header.
func (h *harness) submissionUnder(token, body string, keys ...string) *http.Request {
	h.Helper()
	r := h.submission(token, body)
	r.Header[keyHeader] = keys
	return r
}

// submitUnder submits with the idempotency keys. There may be no response.
func (h *harness) submitUnder(token, body string, keys ...string) result {
	h.Helper()
	return h.try(h.submissionUnder(token, body, keys...))
}

// wantCounts checks the numbers of accepted notifications and of repetitions.
func (h *harness) wantCounts(notifications, repetitions int) Ledger {
	h.Helper()
	l := h.e.Ledger()
	if l.Notifications != notifications || len(l.Submissions) != notifications ||
		l.Repetitions != repetitions {
		h.Errorf("%d notifications, %d of them listed, and %d repetitions; want %d and %d",
			l.Notifications, len(l.Submissions), l.Repetitions, notifications, repetitions)
	}
	return l
}

func TestRepetitions(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{IdempotencyKeyHeader: "notification-key"})
	token := h.token()
	first := h.submitUnder(token, minimal, "checkout-1")
	again := h.submitUnder(h.token(), minimal, "checkout-1")
	if first.status != http.StatusCreated || again.status != first.status ||
		again.body != first.body || again.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %s, then %d %s", first.status, first.body, again.status, again.body)
	}
	l := h.wantCounts(1, 1)
	id := l.Submissions[0].NotificationID
	accepted, repeated := l.Requests[1], l.Requests[3]
	if !strings.Contains(first.body, id) || l.Submissions[0].IdempotencyKey != "checkout-1" ||
		accepted.NotificationID != id || accepted.RepetitionOf != "" ||
		accepted.IdempotencyKey != "checkout-1" || repeated.NotificationID != "" ||
		repeated.RepetitionOf != id || repeated.IdempotencyKey != "checkout-1" ||
		repeated.Reason != "" {
		t.Errorf("recorded %+v", l)
	}

	h.wantProblem(h.submitUnder(token, minimal+" ", "checkout-1"), 422, "with another body")
	h.wantProblem(h.submitUnder("unknown", minimal, "checkout-1"), 401, "unknown")
	h.wantProblem(h.submitUnder(token, minimal, "a", "b"), 400, "more than one")
	l = h.wantCounts(1, 1)
	for _, r := range l.Requests[4:] {
		if r.RepetitionOf != "" || r.Reason == "" {
			t.Errorf("recorded %+v", r)
		}
	}
	for i, keys := range [][]string{{"checkout-2"}, {"Checkout-1"}, nil, nil, {""}, {""}} {
		if r := h.submitUnder(token, minimal, keys...); r.status != 201 || r.body == first.body {
			t.Errorf("%q: got %d %s", keys, r.status, r.body)
		}
		h.wantCounts(i+2, 1)
	}
	h.e.Reset()
	h.submitUnder(token, minimal+" ", "checkout-1")
	h.do(http.MethodGet, studiesPath+"?name=ATLAS", "", keyHeader, "checkout-1")
	if l := h.wantCounts(1, 0); l.Requests[1].IdempotencyKey != "" {
		t.Errorf("a lookup has a key: %+v", l.Requests[1])
	}
}

func TestKeysAreIgnoredWithoutTheirHeader(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "X-Key"} {
		h := newHarness(t, Config{IdempotencyKeyHeader: header})
		token := h.token()
		for range 2 {
			if r := h.submitUnder(token, minimal, "a", "b"); r.status != 201 {
				t.Errorf("got %+v", r)
			}
		}
		if l := h.wantCounts(2, 0); l.Requests[1].IdempotencyKey != "" {
			t.Errorf("recorded %+v", l.Requests[1])
		}
	}
}

// A key belongs to the accepted submission, whether or not its response arrived.
func TestKeysAndFaults(t *testing.T) {
	t.Parallel()
	for faults, repetitions := range map[string]int{
		"status:503": 0, "html": 0, "redirect:307:/x": 0, "reset-before": 0, "revoke": 0,
		"reset-after": 1, "close-after": 1, "truncate": 1, "delay:1ms": 1, "empty": 1,
		"status-after:503": 1, "status:409": 0, "status-after:204": 1, "json-after:{}": 1,
		"pass,reset-after": 2, "reset-after,reset-after": 2, "status:503,reset-after": 1,
		"pass,status:503": 1, "pass,truncate": 2,
	} {
		t.Run(strings.ReplaceAll(faults, "/", "|"), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{
				IdempotencyKeyHeader: keyHeader, Faults: Faults{"submission": faults},
			})
			for range strings.Split(faults, ",") {
				h.submitUnder(h.token(), minimal, "k")
			}
			r := h.submitUnder(h.token(), minimal, "k")
			l := h.wantCounts(1, repetitions)
			if r.err != nil || r.status != http.StatusCreated ||
				h.members(r)["notification_id"] != l.Submissions[0].NotificationID {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// A rejected request does not use up its key.
func TestKeysOfRejectedRequests(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{IdempotencyKeyHeader: keyHeader})
	token := h.token()
	h.wantProblem(h.submitUnder("unknown", minimal, "k"), 401, "unknown")
	h.wantProblem(h.submitUnder(token, "{}", "k"), 422, "missing")
	if r := h.submitUnder(token, minimal, "k"); r.status != 201 {
		t.Errorf("got %+v", r)
	}
	h.wantCounts(1, 0)
}

// One of several concurrent submissions under the same key is accepted.
func TestKeyOfConcurrentSubmissions(t *testing.T) {
	t.Parallel()
	const many = 20
	h := newHarness(t, Config{IdempotencyKeyHeader: keyHeader})
	token := h.token()
	var results []<-chan result
	for range many {
		results = append(results, h.begin(h.submissionUnder(token, minimal, "k")))
	}
	for _, served := range results {
		if r := <-served; r.status != http.StatusCreated {
			t.Errorf("got %+v", r)
		}
	}
	h.wantCounts(1, many-1)
}
