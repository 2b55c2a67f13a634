package ledger

import (
	"strconv"
	"strings"
	"testing"
)

// The newest requests are kept, and the dropped ones are counted.
func TestStoreDropsOldest(t *testing.T) {
	t.Parallel()
	s := new(Store)
	submissions := func(l *Ledger) *int { return &l.SubmissionRequests }
	for i := range 10_005 {
		request := &Request{Path: strconv.Itoa(i)}
		s.Add(request, submissions)
		s.Accept(request, Submission{NotificationID: request.Path})
	}
	for range 3 {
		s.Add(&Request{}, submissions)
	}
	l := s.Ledger()
	if l.Dropped != 8 || l.Notifications != 10_005 || len(l.Requests) != 10_000 ||
		l.Requests[0].Path != "8" || len(l.Submissions) != 9_997 ||
		l.Submissions[0].NotificationID != "8" {
		t.Errorf("dropped %d of %d; %d requests, %d submissions", l.Dropped, l.Notifications,
			len(l.Requests), len(l.Submissions))
	}
}

// Bodies are bounded in total, accepted or not: a page that loads the ledger loads them all.
func TestStoreDropsLargeBodies(t *testing.T) {
	t.Parallel()
	s := new(Store)
	body := strings.Repeat("x", 8<<20)
	accepted := Submission{Body: []byte(body)}
	late := &Request{Path: "late"}
	s.Add(late, func(l *Ledger) *int { return &l.SubmissionRequests })
	for i := range 12 {
		request := &Request{Path: strconv.Itoa(i)}
		s.Add(request, func(l *Ledger) *int { return &l.SubmissionRequests })
		if i%2 == 0 {
			s.Accept(request, accepted)
			s.Conclude(request, 201, "", "")
		} else {
			s.Conclude(request, 422, "wrong", body)
		}
	}
	s.Accept(late, accepted) // no longer kept
	l := s.Ledger()
	if l.Dropped != 5 || len(l.Requests) != 8 || l.Requests[0].Path != "4" || l.Notifications != 7 {
		t.Errorf("dropped %d, kept %d, %d notifications", l.Dropped, len(l.Requests), l.Notifications)
	}
}
