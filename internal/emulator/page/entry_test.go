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
		{ledger.Record{Request: request("token", 0, "")}, "no answer yet", ""},
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

// A command that would be another request is not offered.
func TestEntryCurl(t *testing.T) {
	t.Parallel()
	headers := func(pairs ...string) map[string]string {
		h := make(map[string]string)
		for i := 0; i < len(pairs); i += 2 {
			h[pairs[i]] = pairs[i+1]
		}
		return h
	}
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
			Target: "submission", Method: "POST", Path: "/n", Headers: headers("Content-Type", "a/b",
				"Content-Length", "0"),
		}, 0, begin + "--request 'POST' 'http://e/n' --header 'Content-Type: a/b'"},
		"key": {ledger.Request{
			Target: "submission", Method: "POST", Path: "/n", IdempotencyKey: "k", Body: "@x",
			Headers: headers("Content-Length", "2"),
		}, 0, begin + "--request 'POST' 'http://e/n' --header 'Key: k' --header 'Content-Type:' --data-raw '@x'"},
		"token": {ledger.Request{
			Target: "token", Method: "POST", Path: "/t", Headers: headers("Content-Length", "9"),
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
		"body not kept":   {ledger.Request{Target: "other", Headers: headers("Content-Length", "1")}, 0, ""},
		"body in pieces":  {ledger.Request{Target: "other", Headers: headers("Transfer-Encoding", "chunked")}, 0, ""},
	} {
		e := entry{ledger.Record{Request: test.request, Size: test.size, Altered: name == "another request"}}
		got := strings.ReplaceAll(e.Curl(View{Origin: "http://e", KeyHeader: "Key"}), lineBreak, " ")
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, test.want)
		}
	}
}
