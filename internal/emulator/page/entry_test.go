package page

import (
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/notification"
)

// Every entry says in words what it is, for whoever sees no colours.
func TestEntryInWords(t *testing.T) {
	t.Parallel()
	request := func(target string, status int, reason string) ledger.Request {
		return ledger.Request{Target: target, Status: status, Reason: reason}
	}
	found := request("studies", 200, "")
	found.Lookup = &ledger.Lookup{Name: "ATLAS", Found: 1}
	none := request("studies", 200, "")
	none.Lookup = &ledger.Lookup{Name: "X"}
	token := request("token", 200, "")
	token.Form = &ledger.Form{ClientID: "demo"}
	repeated := request("submission", 201, "")
	repeated.RepetitionOf = "0011"
	accepted := &ledger.Submission{
		Priority: "HIGH", Channels: []notification.Channel{{Subject: "live"}, {Subject: "no"}},
	}
	for _, test := range []struct {
		record         ledger.Record
		badge, subject string
	}{
		{ledger.Record{Request: request("submission", 201, ""), Submission: accepted}, "HIGH", "live"},
		{ledger.Record{Request: request("submission", 0, "a fault"), Submission: accepted}, "HIGH", "live"},
		{ledger.Record{Request: repeated}, "repeated", "repetition of 0011"},
		{ledger.Record{Request: request("submission", 422, "wrong")}, "422 rejected", "wrong"},
		{ledger.Record{Request: request("token", 0, "a fault")}, "no answer", "a fault"},
		{ledger.Record{Request: request("token", 0, "")}, "no answer", ""},
		{ledger.Record{Request: found}, "lookup", "ATLAS: 1 study"},
		{ledger.Record{Request: none}, "lookup", "X: 0 studies"},
		{ledger.Record{Request: token}, "token", "token for demo"},
	} {
		e := entry{test.record}
		if e.Badge() != test.badge || e.Subject() != test.subject {
			t.Errorf("%+v: %q, %q", test, e.Badge(), e.Subject())
		}
	}
}

// The studies of a lookup are shown as long as they fit.
func TestEntryFound(t *testing.T) {
	t.Parallel()
	half := []byte(strings.Repeat("x", maxEntry/2-1))
	for n, want := range map[int]int{0: 0, 1: maxEntry / 2, 2: maxEntry, 3: 0} {
		var e entry
		for range n {
			e.Studies = append(e.Studies, half)
		}
		if got := len(e.Found()); got != want {
			t.Errorf("of %d studies it shows %d bytes, want %d", n, got, want)
		}
	}
	whole := entry{ledger.Record{Studies: [][]byte{make([]byte, maxEntry)}}}
	if len(whole.Found()) != maxEntry+1 {
		t.Error("a study that just fits is not shown")
	}
}
