package ledger

import (
	"strconv"
	"testing"
)

// The newest requests are kept, and the dropped ones are counted.
func TestStoreDropsOldest(t *testing.T) {
	t.Parallel()
	s := new(Store)
	submissions := func(l *Ledger) *int { return &l.SubmissionRequests }
	for i := range maxRequests + 5 {
		request := &Request{Path: strconv.Itoa(i)}
		s.Add(request, submissions)
		s.Accept(request, Submission{NotificationID: request.Path})
	}
	for range 3 {
		s.Add(&Request{}, submissions)
	}
	l := s.Ledger()
	if l.Dropped != 8 || l.Notifications != maxRequests+5 || len(l.Requests) != maxRequests ||
		l.Requests[0].Path != "8" || len(l.Submissions) != maxRequests-3 ||
		l.Submissions[0].NotificationID != "8" {
		t.Errorf("dropped %d of %d; %d requests, %d submissions", l.Dropped, l.Notifications,
			len(l.Requests), len(l.Submissions))
	}
}
