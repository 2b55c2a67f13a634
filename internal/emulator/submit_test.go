package emulator

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestSubmit(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	const body = ` {"priority": "BATCH", "channels": [{"type": "mail", "fields": {"ü": "é"}}]}`
	before := time.Now()
	r := h.do(http.MethodPost, submissionPath, body, "Authorization", "Bearer "+h.token(),
		"Content-Type", "application/json; charset=utf-8")
	if r.status != http.StatusCreated || r.header.Get("Content-Type") != "application/json" {
		t.Fatalf("got %d %v %s", r.status, r.header, r.body)
	}
	id, _ := h.members(r)["notification_id"].(string)
	uuidV4 := regexp.MustCompile(
		`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if !uuidV4.MatchString(id) || len(h.members(r)) != 1 {
		t.Errorf("response %s is not only a version 4 UUID", r.body)
	}

	submissions := h.e.Ledger().Submissions
	if len(submissions) != 1 {
		t.Fatalf("%d submissions were recorded", len(submissions))
	}
	got := submissions[0]
	if got.ReceivedAt.Before(before.Add(-time.Second)) || got.ReceivedAt.After(time.Now()) ||
		got.ReceivedAt.Location() != time.UTC {
		t.Errorf("received_at is %s", got.ReceivedAt)
	}
	want := Submission{
		NotificationID: id,
		ReceivedAt:     got.ReceivedAt,
		Priority:       "BATCH",
		Body:           json.RawMessage(body),
		Channels:       []Channel{{Type: "mail", Fields: map[string]string{"ü": "é"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded\n%+v\nwant\n%+v", got, want)
	}
}

// Package notification tests everything that can be wrong with a body.
func TestSubmitRejects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"empty":     {"", 400, "the body is not JSON: "},
		"cut off":   {`{"channels":[`, 400, "the body is not JSON: "},
		"two":       {minimal + `{}`, 400, "the body is not JSON: "},
		"not UTF-8": {strings.Replace(minimal, "slack", "\xff", 1), 400, "the body is not UTF-8"},
		"invalid":   {` null`, 422, "the body must not be null"},
		"number":    {`{"priority":1e999}`, 422, "channels is missing"},
		"large":     {strings.Replace(minimal, "slack", strings.Repeat("x", maxBody), 1), 413, "1 MiB"},
	} {
		h := newHarness(t, Config{})
		h.wantProblem(h.submit(h.token(), test.body), test.status, test.want)
		l := h.e.Ledger()
		if len(l.Submissions) != 0 || l.Notifications != 0 || l.SubmissionRequests != 1 ||
			l.Requests[1].Status != test.status {
			t.Errorf("%s: recorded %+v", name, l)
		}
	}
}

func TestSubmitAcceptsTheLargestBody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	large := strings.Repeat("x", maxBody-len(minimal)+len("slack"))
	body := strings.Replace(minimal, "slack", large, 1)
	if r := h.submit(h.token(), body); len(body) != maxBody || r.status != http.StatusCreated {
		t.Errorf("%d bytes: got %d %s", len(body), r.status, r.body)
	}
}

func TestSubmitRejectsHeaders(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()

	for _, contentType := range []string{
		"", "text/plain", "application/problem+json", "application/jsonx",
	} {
		r := h.submission(token, minimal)
		r.Header.Set("Content-Type", contentType)
		h.wantProblem(h.mustRespond(r), http.StatusUnsupportedMediaType, "application/json")
	}

	chunked := h.submission(token, "")
	chunked.Body = io.NopCloser(strings.NewReader(minimal))
	chunked.ContentLength = -1
	h.wantProblem(h.mustRespond(chunked), http.StatusLengthRequired, "Content-Length")
	if l := h.e.Ledger(); len(l.Submissions) != 0 {
		t.Errorf("%d submissions were recorded", len(l.Submissions))
	}
}
