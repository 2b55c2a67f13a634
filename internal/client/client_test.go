package client

import (
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// The body holds text as it is, empty members but no unset ones, and secret fields beside the
// others. The caller's fields do not change.
func TestSubmissionBody(t *testing.T) {
	t.Parallel()
	request := testNotification()
	request.Channels = append(request.Channels,
		Channel{Type: "a<b>&c", Fields: map[string]string{}},
		Channel{
			Type: "b", Fields: map[string]string{"a": "1"},
			SecretFields: map[string]string{"a": "not sent", "b": "2"},
		},
		Channel{Type: "c", SecretFields: map[string]string{"b": "3"}},
	)
	want := `{"channels":[` +
		`{"type":"slack","recipient":["C024BE91L"],"subject":"checkout v1.4.2 is live"},` +
		`{"type":"a<b>&c","fields":{}},{"type":"b","fields":{"a":"1","b":"2"}},` +
		`{"type":"c","fields":{"b":"3"}}],"priority":"HIGH"}`
	if got, _ := encode(request); string(got) != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := request.Channels[2].Fields; len(got) != 1 || request.Channels[3].Fields != nil {
		t.Errorf("the fields of the caller were changed to %v", got)
	}
}

func TestNotificationID(t *testing.T) {
	t.Parallel()
	const uuid, zeros = "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "00000000-0000-0000-0000-000000000000"
	for body, want := range map[string]string{
		`{"notification_id":"` + uuid + `"}`:                     uuid,
		" {\"notification_id\":\"a\",\"more\":[]} ":              "a",
		`{"notification_id":""}`:                                 "",
		`{"notification_id":"null"}`:                             "",
		`{"notification_id":"` + zeros + `"}`:                    "",
		`{"notification_id":"0"}`:                                "0",
		`{"notification_id":"a b"}`:                              "",
		`{"notification_id":"a\u0000"}`:                          "",
		`{"notification_id":null}`:                               "",
		`{"notification_id":{}}`:                                 "",
		`{"notification_id":"` + strings.Repeat("x", 257) + `"}`: "",
		`{"notification_id":"` + strings.Repeat("x", 256) + `"}`: strings.Repeat("x", 256),
		`{"notification_id":"a","NOTIFICATION_ID":"b"}`:          "b", // the last one counts
		`[]`:                               "",
		`null`:                             "",
		`{"notification_id":"a"} and more`: "",
	} {
		got, err := notificationID(&wire.Attempt{Status: 201, Body: []byte(body)}, nil)
		if got.String() != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", body, got, err)
		}
	}
}
