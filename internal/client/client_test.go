package client

import (
	"slices"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

func TestRequests(t *testing.T) {
	scopes := []string{"notifications.read", "notifications.write"}
	withTestEnv(t, func(_ *emulator.Config, c *Config) {
		c.Headers = map[string]string{"X-Correlation-Id": "gateway"}
		c.Scopes = scopes
	}, func(t *testing.T, env *testEnv) {
		clear(scopes) // the client must have copied them
		env.latency = time.Second
		request := testNotification()
		request.Channels = append(request.Channels,
			Channel{Type: "a<b>&c", Fields: map[string]string{}},
			Channel{
				Type: "b", Fields: map[string]string{"a": "1"},
				SecretFields: map[string]string{"b": "2"},
			},
			Channel{Type: "c", SecretFields: map[string]string{"b": "3"}},
		)
		receipt, err := env.client.SubmitNotification(t.Context(), request, "")
		if err != nil {
			t.Fatal(err)
		}
		if !receipt.Time.Equal(time.Now()) {
			t.Errorf("the receipt is of %s, want the time of the response, %s", receipt.Time, time.Now())
		}
		if _, _, err := env.client.Studies(t.Context(), "A B+C/ü?&"); err != nil {
			t.Fatal(err)
		}

		if got := request.Channels[2].Fields; len(got) != 1 || request.Channels[3].Fields != nil {
			t.Errorf("the fields of the caller were changed to %v", got)
		}

		ledger := env.Ledger()
		if got := ledger.Submissions[0].NotificationID; receipt.NotificationID != got ||
			!receipt.MissingID.Empty() {
			t.Errorf("receipt %+v, want id %s", receipt, got)
		}
		want := `{"channels":[` +
			`{"type":"slack","recipient":["C024BE91L"],"subject":"checkout 1.4.2 is live"},` +
			`{"type":"a<b>&c","fields":{}},{"type":"b","fields":{"a":"1","b":"2"}},` +
			`{"type":"c","fields":{"b":"3"}}],"priority":"HIGH"}`
		if got := string(ledger.Submissions[0].Body); got != want {
			t.Errorf("body\n%s, want\n%s", got, want)
		}
		issued, submission, lookup := ledger.Requests[0], ledger.Requests[1], ledger.Requests[2]
		if want := "notifications.read notifications.write"; issued.Form.Scope != want {
			t.Errorf("scope %q, want %q", issued.Form.Scope, want)
		}
		if slices.Contains(issued.HeaderNames, "X-Correlation-Id") ||
			slices.Contains(issued.HeaderNames, "Authorization") {
			t.Errorf("token request has headers %v", issued.HeaderNames)
		}
		for _, request := range []emulator.Request{issued, submission, lookup} {
			ofAPI := request.Headers["X-Correlation-Id"] == "gateway"
			if ofAPI == (request.Target == issued.Target) ||
				request.Headers["Accept"] != "application/json" ||
				request.Headers["User-Agent"] != "test" {
				t.Errorf("%s has headers %v", request.Target, request.Headers)
			}
		}
		if want := "name=A%20B%2BC%2F%C3%BC%3F%26"; lookup.Query != want {
			t.Errorf("query %q, want %q", lookup.Query, want)
		}
		if slices.Contains(lookup.HeaderNames, "Content-Type") {
			t.Error("a lookup has a Content-Type")
		}
	})
}

func TestNotificationID(t *testing.T) {
	t.Parallel()
	const uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
	for body, want := range map[string]string{
		`{"notification_id":"` + uuid + `"}`:                     uuid,
		" {\"notification_id\":\"a\",\"more\":[]} ":              "a",
		`{"notification_id":""}`:                                 "",
		`{"notification_id":"a b"}`:                              "",
		`{"notification_id":"a\u0000"}`:                          "",
		`{"notification_id":null}`:                               "",
		`{"notification_id":{}}`:                                 "",
		`{"notification_id":"` + strings.Repeat("x", 257) + `"}`: "",
		`{"notification_id":"` + strings.Repeat("x", 256) + `"}`: strings.Repeat("x", 256),
		`{"NOTIFICATION_ID":"b","notification_id":"a"}`:          "a", // the last one counts
		`{"notification_id":"a","NOTIFICATION_ID":"b"}`:          "b",
		`{"notification_id":null,"Notification_ID":"b"}`:         "b",
		`{"notification_id":"a","Notification_ID":null}`:         "",
		`{"notification_id":1e999}`:                              "",
		`{"Notification_ID":"b"}`:                                "b",
		`[]`:                                                     "",
		`null`:                                                   "",
		`{"notification_id":"a"} and more`:                       "",
	} {
		got, err := notificationID(&wire.Attempt{Status: 201, Body: []byte(body)})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", body, got, err)
		}
	}
}
