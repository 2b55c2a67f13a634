package emulator

import (
	"net/http"
	"strings"
	"testing"
)

// wantCounts checks the numbers of accepted notifications and of repetitions.
func (h *harness) wantCounts(notifications, repetitions int) {
	h.t.Helper()
	l := h.Ledger()
	if l.Notifications != notifications || len(l.Submissions) != notifications ||
		l.Repetitions != repetitions {
		h.t.Errorf("%d notifications, %d of them listed, and %d repetitions; want %d and %d",
			l.Notifications, len(l.Submissions), l.Repetitions, notifications, repetitions)
	}
}

// A rejected submission does not use up its key. An accepted one does, for one body. Its repetition,
// whatever the token, has the response of the first submission, and is recorded as its repetition.
func TestAcceptedSubmissionUsesItsKey(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{IdempotencyKeyHeader: strings.ToLower(keyHeader)})
	token, other := h.token(), h.token()
	h.wantProblem(h.submit("unknown", minimal, "k"), 401, "unknown")
	h.wantProblem(h.submit(token, "{}", "k"), 422, "missing")
	h.wantProblem(h.submit(token, minimal, "k", "b"), 400, "more than one")
	h.wantCounts(0, 0)

	h.ClearLedger()
	first, again := h.submit(token, minimal, "k"), h.submit(other, minimal, "k")
	if first.status != http.StatusCreated || again.status != first.status || again.body != first.body {
		t.Errorf("got %+v, then %+v", first, again)
	}
	h.wantProblem(h.submit(token, minimal+" ", "k"), 422, "with another body")
	h.wantCounts(1, 1)
	l := h.Ledger()
	id, repetition := l.Submissions[0].NotificationID, h.recorded(1)
	if repetition.NotificationID != "" || repetition.RepetitionOf != id ||
		repetition.IdempotencyKey != "k" || repetition.Reason != "" {
		t.Errorf("recorded as the repetition of %s: %+v", id, repetition)
	}
}

// Keys differ in case. Without a key, with an empty one, or with one in a header that is not the
// configured one, each submission is another notification.
func TestOtherKeysAreNoRepetitions(t *testing.T) {
	t.Parallel()
	for header, submissions := range map[string][][]string{
		keyHeader: {{"k"}, {"k2"}, {"K"}, nil, nil, {""}, {""}},
		"X-Key":   {{"k", "b"}, {"k", "b"}},
		"":        {{"k", "b"}, {"k", "b"}},
	} {
		h := newHarness(t, Config{IdempotencyKeyHeader: header})
		token := h.token()
		for i, keys := range submissions {
			h.submit(token, minimal, keys...)
			h.wantCounts(i+1, 0)
		}
	}
}
