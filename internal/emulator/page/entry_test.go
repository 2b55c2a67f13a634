package page

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

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
	content := notification.Notification{
		Priority: "HIGH", Channels: []notification.Channel{{Subject: "live"}, {Subject: "no"}},
	}
	accepted := &ledger.Submission{Priority: content.Priority, Channels: content.Channels}
	about := request("submission", 422, "misspelt")
	about.Body = `{"channels":[{"subject":"<live>","recipient":1}]}`
	unnamed := request("submission", 422, "misspelt")
	unnamed.Body = `{"channels":[{}]}`
	large := ledger.Record{Request: about, Size: maxEntry + 1}
	submission := request("submission", 201, "")
	for _, test := range []struct {
		record                       ledger.Record
		outcome, badge, subject, why string
	}{
		{ledger.Record{Request: submission, Submission: accepted, Content: content}, "accepted", "accepted", "live", ""},
		{ledger.Record{Request: request("submission", 0, "a fault"), Submission: accepted,
			Content: content}, "lost",
			"answer lost", "live", "a fault"},
		{ledger.Record{Request: repeated}, "repeated", "repeated", "no subject", ""},
		{ledger.Record{Request: request("submission", 422, "wrong")}, "rejected", "422 rejected", "wrong", ""},
		{ledger.Record{Request: about}, "rejected", "422 rejected", "&lt;live&gt;", "misspelt"},
		{ledger.Record{Request: unnamed}, "rejected", "422 rejected", "no subject", "misspelt"},
		{large, "rejected", "422 rejected", "misspelt", ""},
		{ledger.Record{Request: request("submission", 500, "x")}, "lost", "500 unclear", "x", ""},
		{ledger.Record{Request: request("token", 0, "a fault")}, "lost", "no answer", "a fault", ""},
		{ledger.Record{Request: request("token", 0, "")}, "", "no answer yet", "no subject", ""},
		{ledger.Record{Request: found}, "lookups", "lookup", "ATLAS: 1 study", ""},
		{ledger.Record{Request: none}, "lookups", "lookup", "X: 0 studies", ""},
		{ledger.Record{Request: token}, "tokens", "token", "token for demo", ""},
	} {
		ledger.NewBook(0).Conclude(&test.record, test.record.Status, test.record.Reason)
		w := httptest.NewRecorder()
		View{Entries: []entry{{test.record}}}.Write(w, http.StatusOK)
		shown := regexp.MustCompile(`class="badge (\w*)">([^<]*)</span>\s*<span class="subject" dir="auto">` +
			`([^<]*)<`).FindStringSubmatch(w.Body.String())
		why := regexp.MustCompile(`class="why" dir="auto">([^<]*)<`).FindStringSubmatch(w.Body.String())
		want := []string{test.outcome, test.badge, test.subject}
		if shown == nil || !slices.Equal(shown[1:], want) || (why != nil) != (test.why != "") ||
			why != nil && why[1] != test.why {
			t.Errorf("%+v: got %q, %q", test, shown, why)
		}
	}
}

// The time has its zone, and its date where that is not today's.
func TestEntryWhen(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("EAT", 3*60*60)
	e := entry{ledger.Record{Request: ledger.Request{Time: time.Date(2026, 3, 1, 22, 5, 6, 7e6, time.UTC)}}}
	for now, want := range map[time.Time]string{
		time.Date(2026, 3, 2, 0, 0, 0, 0, zone):      "01:05:06.007 EAT",
		time.Date(2026, 3, 1, 23, 0, 0, 0, zone):     "2026-03-02 01:05:06.007 EAT",
		time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC): "22:05:06.007 UTC",
		time.Date(2027, 3, 2, 0, 0, 0, 0, zone):      "2026-03-02 01:05:06.007 EAT",
	} {
		if got := e.When(now); got != want {
			t.Errorf("at %s: got %s, want %s", now, got, want)
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

// A command that would be another request is not offered.
func TestEntryCurl(t *testing.T) {
	t.Parallel()
	type headers map[string]string
	const begin = "curl --globoff --path-as-is "
	authorized := []string{"Authorization"}
	for name, test := range map[string]struct {
		request ledger.Request
		size    int
		want    string // with a blank for each line break
	}{
		"lookup": {ledger.Request{
			Target: "studies", Method: "GET", Path: "/s", Query: "name=it's", HeaderNames: authorized,
		}, 0, begin + `--request 'GET' 'http://e/s?name=it'\''s' --header "Authorization: Bearer $TOKEN"`},
		"without a token": {ledger.Request{Target: "studies", Method: "GET", Path: "/s"}, 0,
			begin + "--request 'GET' 'http://e/s'"},
		"head": {ledger.Request{Target: "other", Method: "HEAD", Path: "/../x"}, 0,
			begin + "--head 'http://e/../x'"},
		"empty body": {ledger.Request{
			Target: "submission", Method: "POST", Path: "/n", Headers: headers{"Content-Type": "a/b",
				"Content-Length": "0"},
		}, 0, begin + "--request 'POST' 'http://e/n' --header 'Content-Type: a/b'"},
		"key": {ledger.Request{
			Target: "submission", Method: "POST", Path: "/n", IdempotencyKey: "k", Body: "@x",
			Headers: headers{"Content-Length": "2"},
		}, 0, begin + "--request 'POST' 'http://e/n' --header 'Key: k' --header 'Content-Type:' --data-raw '@x'"},
		"token": {ledger.Request{
			Target: "token", Method: "POST", Path: "/t", Headers: headers{"Content-Length": "9"},
			Form: &ledger.Form{ClientID: "id", Parameters: []string{"client_id", "client_secret"}},
		}, 0, begin + "--request 'POST' 'http://e/t' --data-urlencode 'client_id=id' " +
			`--data-urlencode "client_secret=$NOTIFICATION_CLIENT_SECRET"`},
		"token without a secret": {ledger.Request{
			Target: "token", Method: "POST", Path: "/t", Form: &ledger.Form{Parameters: []string{"scope"}},
		}, 0, begin + "--request 'POST' 'http://e/t' --data-urlencode 'scope='"},
		"token with more": {ledger.Request{
			Target: "token", Method: "POST", Path: "/t", Form: &ledger.Form{Parameters: []string{"audience"}},
		}, 0, ""},
		"token in JSON":   {ledger.Request{Target: "token", Method: "POST", Path: "/t"}, 0, ""},
		"another request": {}, // see below
		"large":           {ledger.Request{Target: "studies", Method: "GET", Path: "/s"}, maxEntry + 1, ""},
		"line breaks":     {ledger.Request{Target: "submission", Method: "POST", Body: "a\r\n"}, 0, ""},
		"large command":   {ledger.Request{Target: "submission", Body: strings.Repeat("'", maxEntry/4)}, 0, ""},
		"zero":            {ledger.Request{Target: "submission", Method: "POST", Body: "a\x00"}, 0, ""},
		"body not kept":   {ledger.Request{Target: "other", Headers: headers{"Content-Length": "1"}}, 0, ""},
		"body in pieces":  {ledger.Request{Target: "other", Headers: headers{"Transfer-Encoding": "chunked"}}, 0, ""},
	} {
		e := entry{ledger.Record{Request: test.request, Size: test.size, Altered: name == "another request"}}
		got := strings.ReplaceAll(e.Curl(View{Origin: "http://e", KeyHeader: "Key"}), lineBreak, " ")
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}
