package emulator

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestSubmit(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	body := ` {"priority": "BATCH",
		"channels": [
			{"type": "slack", "recipient": ["C1", "C2"], "subject": "<b>\n", "content_type": "md",
			 "template_id": "t", "fields": {"a b": "", "ü": "é"}},
			{"type": "mail", "fields": {}}]}`
	before := time.Now()
	r := h.do(http.MethodPost, submissionPath, body, "Authorization", "Bearer "+h.token(),
		"Content-Type", "application/json; charset=utf-8")
	if r.status != http.StatusCreated || r.header.Get("Content-Type") != "application/json" {
		t.Fatalf("got %d %v %s", r.status, r.header, r.body)
	}
	id, _ := h.members(r)["notification_id"].(string)
	if !uuidV4.MatchString(id) || len(h.members(r)) != 1 {
		t.Errorf("answer %s is not just a UUID version 4", r.body)
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
		Channels: []Channel{
			{
				Type: "slack", Recipient: []string{"C1", "C2"}, Subject: "<b>\n", ContentType: "md",
				TemplateID: "t", Fields: map[string]string{"a b": "", "ü": "é"},
			},
			{Type: "mail", Fields: map[string]string{}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded\n%+v\nwant\n%+v", got, want)
	}
}

// What is refused leaves no submission; package notification has all that is wrong with a body.
func TestSubmitRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"empty":     {"", 400, "not JSON"},
		"not UTF-8": {strings.Replace(minimal, "slack", "\xff", 1), 400, "UTF-8"},
		"null":      {`null`, 422, "the body must not be null"},
		"lower case": {
			`{"channels":[{"type":"x"}],"priority":"high"}`,
			422, `priority must be HIGH, NORMAL or BATCH, not "high"`,
		},
		"no type":   {`{"channels":[{}],"priority":"HIGH"}`, 422, "channels[0].type is missing"},
		"too large": {strings.Replace(minimal, "slack", strings.Repeat("x", maxBody), 1), 413, "1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{})
			h.wantProblem(h.submit(h.token(), test.body), test.status, test.want)
			l := h.e.Ledger()
			if len(l.Submissions) != 0 || l.Notifications != 0 || l.SubmissionRequests != 1 ||
				l.Requests[1].Status != test.status {
				t.Errorf("recorded %+v", l)
			}
		})
	}
}

func TestSubmitAcceptsTheLargestBody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	large := strings.Repeat("x", maxBody-len(minimal)+len("slack"))
	body := strings.Replace(minimal, "slack", large, 1)
	if r := h.submit(h.token(), body); len(body) != maxBody || r.status != http.StatusCreated {
		t.Errorf("%d bytes get %d %s", len(body), r.status, r.body)
	}
}

func TestSubmitRefusesOtherFraming(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()

	for _, contentType := range []string{
		"", "text/plain", "application/problem+json", "application/jsonx",
	} {
		r := h.submission(token, minimal)
		r.Header.Set("Content-Type", contentType)
		got, err := h.try(r)
		if err != nil {
			t.Fatal(err)
		}
		h.wantProblem(got, http.StatusUnsupportedMediaType, "application/json")
	}

	chunked := h.submission(token, "")
	chunked.Body = io.NopCloser(strings.NewReader(minimal))
	chunked.ContentLength = -1
	got, err := h.try(chunked)
	if err != nil {
		t.Fatal(err)
	}
	h.wantProblem(got, http.StatusLengthRequired, "Content-Length")
	if l := h.e.Ledger(); len(l.Submissions) != 0 {
		t.Errorf("%d submissions were recorded", len(l.Submissions))
	}
}
