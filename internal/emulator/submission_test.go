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
	r := h.do(http.MethodPost, submissionPath, body, "Authorization", "Bearer "+h.token(), "Content-Type", "application/json; charset=utf-8")
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
	if got.ReceivedAt.Before(before.Add(-time.Second)) || got.ReceivedAt.After(time.Now()) || got.ReceivedAt.Location() != time.UTC {
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

func TestSubmitRefuses(t *testing.T) {
	t.Parallel()
	channel := func(members string) string {
		return `{"priority":"HIGH","channels":[{"type":"x"},{` + members + `}]}`
	}
	for name, test := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"empty":                {"", 400, "not JSON"},
		"cut off":              {`{"channels":[`, 400, "not JSON"},
		"trailing data":        {minimal + `{}`, 400, "not JSON"},
		"not UTF-8":            {strings.Replace(minimal, "slack", "\xff", 1), 400, "UTF-8"},
		"an array":             {`[]`, 422, "the body must be an object"},
		"null":                 {`null`, 422, "the body must not be null"},
		"unknown member":       {`{"channels":[{"type":"x"}],"priority":"HIGH","prio":1}`, 422, `the body must not have a member "prio"`},
		"member in other case": {`{"Channels":[{"type":"x"}],"priority":"HIGH"}`, 422, `the body must not have a member "Channels"`},
		"member twice":         {`{"priority":"HIGH","channels":[{"type":"x"}],"priority":"HIGH"}`, 422, `more than one member "priority"`},
		"no channels":          {`{"priority":"HIGH"}`, 422, "channels is missing"},
		"channels null":        {`{"priority":"HIGH","channels":null}`, 422, "channels must not be null"},
		"channels empty":       {`{"priority":"HIGH","channels":[]}`, 422, "channels must not be empty"},
		"channels an object":   {`{"priority":"HIGH","channels":{}}`, 422, "channels must be an array"},
		"no priority":          {`{"channels":[{"type":"x"}]}`, 422, "priority is missing"},
		"priority null":        {`{"channels":[{"type":"x"}],"priority":null}`, 422, "priority must not be null"},
		"priority lower case":  {`{"channels":[{"type":"x"}],"priority":"high"}`, 422, `priority must be HIGH, NORMAL or BATCH, not "high"`},
		"priority a number":    {`{"channels":[{"type":"x"}],"priority":1}`, 422, "priority must be a string"},
		"channel a string":     {`{"channels":["slack"],"priority":"HIGH"}`, 422, "channels[0] must be an object"},
		"channel null":         {`{"channels":[null],"priority":"HIGH"}`, 422, "channels[0] must not be null"},
		"no type":              {channel(``), 422, "channels[1].type is missing"},
		"type blank":           {channel(`"type":" "`), 422, "channels[1].type must not be blank"},
		"type null":            {channel(`"type":null`), 422, "channels[1].type must not be null"},
		"unknown in channel":   {channel(`"type":"x","recipients":[]`), 422, `channels[1] must not have a member "recipients"`},
		"twice in channel":     {channel(`"type":"x","type":"x"`), 422, `channels[1] has more than one member "type"`},
		"recipient null":       {channel(`"type":"x","recipient":null`), 422, "channels[1].recipient must not be null"},
		"recipient a string":   {channel(`"type":"x","recipient":"C"`), 422, "channels[1].recipient must be an array"},
		"recipient empty":      {channel(`"type":"x","recipient":[]`), 422, "channels[1].recipient must not be empty"},
		"recipient blank":      {channel(`"type":"x","recipient":["C","\t"]`), 422, "channels[1].recipient[1] must not be blank"},
		"recipient number":     {channel(`"type":"x","recipient":[1]`), 422, "channels[1].recipient[0] must be a string"},
		"subject null":         {channel(`"type":"x","subject":null`), 422, "channels[1].subject must not be null"},
		"subject blank":        {channel(`"type":"x","subject":""`), 422, "channels[1].subject must not be blank"},
		"content_type blank":   {channel(`"type":"x","content_type":" "`), 422, "channels[1].content_type must not be blank"},
		"template_id a bool":   {channel(`"type":"x","template_id":true`), 422, "channels[1].template_id must be a string"},
		"fields null":          {channel(`"type":"x","fields":null`), 422, "channels[1].fields must not be null"},
		"fields an array":      {channel(`"type":"x","fields":[]`), 422, "channels[1].fields must be an object"},
		"field null":           {channel(`"type":"x","fields":{"a":"","b":null}`), 422, `channels[1].fields["b"] must not be null`},
		"field a number":       {channel(`"type":"x","fields":{"a":1}`), 422, `channels[1].fields["a"] must be a string`},
		"field twice":          {channel(`"type":"x","fields":{"a":"1","a":"1"}`), 422, `channels[1].fields has more than one member "a"`},
		"too large":            {strings.Replace(minimal, "slack", strings.Repeat("x", maxBody), 1), 413, "1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, Config{})
			h.wantProblem(h.submit(h.token(), test.body), test.status, test.want)
			if l := h.e.Ledger(); len(l.Submissions) != 0 || l.SubmissionRequests != 1 || l.Requests[1].Status != test.status {
				t.Errorf("recorded %+v", l)
			}
		})
	}
}

func TestSubmitAcceptsTheLargestBody(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	body := strings.Replace(minimal, "slack", strings.Repeat("x", maxBody-len(minimal)+len("slack")), 1)
	if r := h.submit(h.token(), body); len(body) != maxBody || r.status != http.StatusCreated {
		t.Errorf("%d bytes get %d %s", len(body), r.status, r.body)
	}
}

func TestSubmitRefusesOtherFraming(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()

	for _, contentType := range []string{"", "text/plain", "application/problem+json", "application/jsonx"} {
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
