package emulator

import (
	"net/http"
	"strings"
	"testing"
)

// wantCounts checks the numbers of accepted notifications and of repetitions.
func (h *harness) wantCounts(notifications, repetitions int) Ledger {
	h.t.Helper()
	l := h.Ledger()
	if l.Notifications != notifications || len(l.Submissions) != notifications ||
		l.Repetitions != repetitions {
		h.t.Errorf("%d notifications, %d of them listed, and %d repetitions; want %d and %d",
			l.Notifications, len(l.Submissions), l.Repetitions, notifications, repetitions)
	}
	return l
}

func TestRepetitions(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{IdempotencyKeyHeader: strings.ToLower(keyHeader)})
	token := h.token()
	h.wantProblem(h.submit("unknown", minimal, "checkout-1"), 401, "unknown")
	h.wantProblem(h.submit(token, "{}", "checkout-1"), 422, "missing")
	h.wantProblem(h.submit(token, minimal, "checkout-1", "b"), 400, "more than one")
	first := h.submit(token, minimal, "checkout-1") // these rejected requests did not use up the key
	again := h.submit(h.token(), minimal, "checkout-1")
	if first.status != http.StatusCreated || again.status != first.status ||
		again.body != first.body || again.header.Get("Content-Type") != jsonType {
		t.Errorf("got %+v, then %+v", first, again)
	}
	h.wantProblem(h.submit(token, minimal+" ", "checkout-1"), 422, "with another body")
	l := h.wantCounts(1, 1)
	id := l.Submissions[0].NotificationID
	accepted, repeated, differs := l.Requests[4], l.Requests[6], l.Requests[7]
	if !strings.Contains(first.body, id) || l.Submissions[0].IdempotencyKey != "checkout-1" ||
		accepted.NotificationID != id || accepted.RepetitionOf != "" ||
		accepted.IdempotencyKey != "checkout-1" || repeated.NotificationID != "" ||
		repeated.RepetitionOf != id || repeated.IdempotencyKey != "checkout-1" ||
		repeated.Reason != "" || differs.RepetitionOf != "" || differs.Reason == "" {
		t.Errorf("recorded %+v", l)
	}
	for i, keys := range [][]string{{"checkout-2"}, {"Checkout-1"}, nil, nil, {""}, {""}} {
		if r := h.submit(token, minimal, keys...); r.status != 201 || r.body == first.body {
			t.Errorf("%q: got %+v", keys, r)
		}
		h.wantCounts(i+2, 1)
	}
	h.reset()
	h.submit(token, minimal+" ", "checkout-1")
	h.do(http.MethodGet, studiesPath+"?name=ATLAS", "", keyHeader, "checkout-1")
	if l := h.wantCounts(1, 0); l.Requests[1].IdempotencyKey != "" {
		t.Errorf("a lookup has a key: %+v", l.Requests[1])
	}

	for _, header := range []string{"", "X-Key"} { // the key is in another one, and ignored
		h := newHarness(t, Config{IdempotencyKeyHeader: header})
		token := h.token()
		h.submit(token, minimal, "a", "b")
		h.submit(token, minimal, "a", "b")
		if l := h.wantCounts(2, 0); l.Requests[1].IdempotencyKey != "" {
			t.Errorf("recorded %+v", l.Requests[1])
		}
	}
}
