//go:build unix

package acceptance

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terraform-provider-notification/internal/emulator"
)

// showsRequest compares a block of JSON, which documents a request, with the request that the
// emulator received.
func (s *session) showsRequest(t *testing.T, block codeBlock) {
	t.Helper()
	target := block.options[optionReceived]
	ledger := s.workspace.Ledger() // of the block before, which was applied
	i := slices.IndexFunc(ledger.Requests, func(r emulator.Request) bool { return r.Target == target })
	if i < 0 {
		t.Fatalf("no request to %s among %d", target, len(ledger.Requests))
	}
	for _, r := range ledger.Requests { // the headers that the page describes in words
		agent := "^terraform-provider-notification/" + buildVersion + " terraform/[1-9]"
		if !regexp.MustCompile(agent).MatchString(r.Headers["User-Agent"]) ||
			r.Headers["Accept-Encoding"] != "gzip" {
			t.Errorf("got %v, want gzip and the agent %s", r.Headers, agent)
		}
	}
	got := shown(ledger.Requests[i])
	if target == "submission" {
		got["body"] = ledger.Submissions[0].Body
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var received, documented any
	read(t, string(text), &received)
	read(t, block.text, &documented)
	if diff := cmp.Diff(received, documented); diff != "" {
		t.Errorf("the service received (-), the page shows (+):\n%s", diff)
	}
}

// shown returns a request as the page documents it: without the headers that it describes in words,
// and without values that differ each time.
func shown(r emulator.Request) map[string]any {
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	headers := []string{}
	for _, name := range r.HeaderNames {
		switch name {
		case "Host", "User-Agent", "Accept-Encoding", "Content-Length":
		case "Traceparent", "X-Request-Id":
			headers = append(headers, name)
		default: // the ledger omits values that may be credentials
			headers = append(headers, strings.TrimSuffix(name+": "+r.Headers[name], ": "))
		}
	}
	request := map[string]any{"request": r.Method + " " + target, "headers": headers}
	if r.Form != nil {
		form := map[string]string{}
		for _, name := range r.Form.Parameters {
			form[name] = "…"
		}
		form["grant_type"], form["scope"] = r.Form.GrantType, r.Form.Scope
		request["form"] = form
	}
	return request
}
