package emulator

import (
	"maps"
	"net/http"
	"sync"
	"testing"
)

func TestSetFaults(t *testing.T) {
	t.Parallel()
	e := newEmulator(t, Config{Faults: Faults{"token": "hang", "studies": "empty"}})
	want := func(want Faults) {
		t.Helper()
		if got := e.Faults(); !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	want(Faults{"token": "hang", "studies": "empty", "submission": ""})
	if err := e.SetFaults(Faults{"token": "html", "submission": "oops"}); err == nil {
		t.Error("no error")
	}
	want(Faults{"token": "hang", "studies": "empty", "submission": ""})
	if err := e.SetFaults(Faults{"token": "", "submission": "revoke*2"}); err != nil {
		t.Error(err)
	}
	want(Faults{"token": "", "studies": "empty", "submission": "revoke*2"})
}

// Each step is for one request, however many come at the same time.
func TestFaultsAreTakenOnce(t *testing.T) {
	t.Parallel()
	const requests = 40
	h := newHarness(t, Config{Faults: Faults{"submission": "status:503*10,pass,empty*9"}})
	token := h.token()
	statuses := make(chan int, requests)
	var group sync.WaitGroup
	for range requests {
		request := h.submission(token, minimal)
		group.Go(func() {
			r, err := h.try(request)
			if err != nil {
				t.Error(err)
			}
			statuses <- r.status
		})
	}
	group.Wait()
	close(statuses)
	counts := make(map[int]int)
	for status := range statuses {
		counts[status]++
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
	ids := make(map[string]bool)
	for _, s := range l.Submissions {
		ids[s.NotificationID] = true
	}
	if len(ids) != 30 {
		t.Errorf("only %d different ids", len(ids))
	}
}
