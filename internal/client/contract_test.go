package client

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// The service contract, a documentation page, shows a request of each operation as it is sent.
func TestServiceContract(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/guides/service-contract.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllSubmatch(page, -1)
	synctest.Test(t, func(t *testing.T) {
		config := testConfig()
		config.Header = http.Header{"X-Gateway-Key": {"example"}}
		config.Scopes = []string{"notifications.read", "notifications.write"}
		env := newTestEnv(t, config)
		subject, markdown, template := "checkout v1.4.2 is live", "md", "deployment"
		_, err := env.client.SubmitNotification(t.Context(), NotificationRequest{
			Priority: "HIGH",
			Channels: []Channel{{
				Type: "slack", Recipient: []string{"C024BE91L"}, Subject: &subject,
				ContentType: &markdown, TemplateID: &template,
				Fields: map[string]string{"service": "checkout"},
			}},
		}, "")
		if err != nil {
			t.Fatal(err)
		}
		mustLookUp(t, env.client)

		ledger := env.Ledger()
		if all := len(Operations()); len(ledger.Requests) != all || len(shown) != all {
			t.Fatalf("%d operations, %d requests, and the page shows %d", all, len(ledger.Requests),
				len(shown))
		}
		for i, request := range ledger.Requests {
			sent := request.Headers
			if sent["Accept-Encoding"] != "gzip" || sent["User-Agent"] != "test" {
				t.Errorf("%s: headers %v, want Accept-Encoding gzip, User-Agent test", request.Target, sent)
			}
			received := asShown(request)
			if request.Target == "submission" {
				received["body"] = at(t, ledger.Submissions, 0).Body
			}
			text, err := json.Marshal(received)
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if json.Unmarshal(text, &got) != nil || json.Unmarshal(shown[i][1], &want) != nil {
				t.Fatalf("not JSON: %s, or %s", text, shown[i][1])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: the page shows (-), the service received (+):\n%s", request.Target, diff)
			}
		}
	})
}

// asShown returns a request as the page shows it: without the headers that it describes in words,
// and without values that differ each time.
func asShown(r emulator.Request) map[string]any {
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	headers := []string{}
	for _, name := range r.HeaderNames {
		switch name {
		case "Accept-Encoding", "Content-Length", "Host", "User-Agent":
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
