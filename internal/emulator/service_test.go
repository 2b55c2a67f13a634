package emulator

import (
	"net/http"
	"testing"
)

// Each step is for one request, however many come at the same time.
func TestFaultsAreTakenOnce(t *testing.T) {
	t.Parallel()
	const requests = 40
	h := newHarness(t, Config{Faults: Faults{"submission": "status:503*10,pass,empty*9"}})
	token := h.token()
	var replies []<-chan reply
	for range requests {
		replies = append(replies, h.begin(h.submission(token, minimal)))
	}
	counts := make(map[int]int)
	for _, r := range replies {
		counts[(<-r).status]++
	}
	if counts[http.StatusServiceUnavailable] != 10 || counts[http.StatusCreated] != 30 {
		t.Errorf("statuses are %v", counts)
	}
	l := h.e.Ledger()
	if len(l.Submissions) != 30 || l.SubmissionRequests != requests {
		t.Errorf("%d submissions from %d requests", len(l.Submissions), l.SubmissionRequests)
	}
	// The order of the requests is the one in which they took the faults.
	for i, r := range l.Requests[1:] {
		want := ""
		switch {
		case i < 10:
			want = "status:503"
		case i > 10 && i < 20:
			want = "empty"
		}
		if r.Fault != want {
			t.Errorf("request %d met %q, want %q", i, r.Fault, want)
		}
	}
}
