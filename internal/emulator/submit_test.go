package emulator

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestSubmit(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	const body = ` {"priority": "BATCH", "channels": [{"type": "mail", "fields": {"ü": "é"}}]}`
	submission := h.submission(h.token(), body)
	submission.URL.Path = "/emea" + submissionPath
	submission.Header.Set("Content-Type", "application/json; charset=utf-8")
	r := h.send(submission)
	id, _ := h.members(r)["notification_id"].(string)
	random, err := uuid.Parse(id)
	if r.status != http.StatusCreated || r.header.Get("Content-Type") != jsonType ||
		err != nil || random.Version() != 4 || len(h.members(r)) != 1 {
		t.Fatalf("got %+v", r)
	}
	l := h.Ledger()
	got := l.Submissions[0]
	if got.NotificationID != id || h.recorded(1).NotificationID != id || got.System != "emea" ||
		string(got.Body) != body || time.Since(got.ReceivedAt).Abs() > time.Minute {
		t.Errorf("recorded %+v", l)
	}
}

// Package notification tests everything that can be wrong with a body.
func TestSubmitRejects(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	withType := func(text string) string { return strings.Replace(minimal, "slack", text, 1) }
	largest := withType(strings.Repeat("x", 1<<20-len(withType(""))))
	if r := h.submit(token, largest); r.status != http.StatusCreated {
		t.Errorf("%d bytes: got %d %s", len(largest), r.status, r.body)
	}
	for _, test := range []struct {
		contentType, body string
		status            int
		detail            string
	}{
		{jsonType, "", 400, "the body is not JSON: "},
		{jsonType, minimal + "{}", 400, "the body is not JSON: "},
		{jsonType, withType("\xff"), 400, "the body is not UTF-8"},
		{jsonType, " null", 422, "channels is missing or empty"},
		{jsonType, largest + " ", 413, "1 MiB"},
		{"", minimal, 415, jsonType},
		{"application/problem+json", minimal, 415, jsonType},
	} {
		r := h.submission(token, test.body)
		r.Header.Set("Content-Type", test.contentType)
		h.wantProblem(h.send(r), test.status, test.detail)
	}
	chunked := h.submission(token, minimal)
	chunked.Body, chunked.ContentLength = io.NopCloser(strings.NewReader(minimal)), -1
	h.wantProblem(h.send(chunked), http.StatusLengthRequired, "Content-Length")
	h.wantCounts(1, 0) // the largest
}
