package client

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/client/wire"
)

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
		`{"notification_id":"a","Notification_ID":"b"}`:          "a",
		`{"NOTIFICATION_ID":"b","notification_id":"a"}`:          "a",
		`{"notification_id":null,"Notification_ID":"b"}`:         "",
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
	// The body is a complete object, even if reading it failed afterwards.
	attempt := &wire.Attempt{Status: 201, BodyErr: wire.ErrTooLarge}
	attempt.Body = []byte(`{"notification_id":"a"}`)
	if got, err := notificationID(attempt); got != "a" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 500, time.UTC)
	for value, want := range map[string]time.Duration{
		"0":                              0,
		"120":                            2 * time.Minute,
		" 7 ":                            7 * time.Second,
		"99999999999999999999":           longestRetryAfter,
		"999999999999":                   longestRetryAfter,
		"Fri, 02 Jan 2026 03:05:05 GMT":  time.Minute - 500,
		"Friday, 02-Jan-26 03:05:05 GMT": time.Minute - 500,
		"Fri, 02 Jan 2026 03:04:05 GMT":  0, // in the past
		"Thu, 01 Jan 1970 00:00:00 GMT":  0,
		"Fri, 31 Dec 9999 23:59:59 GMT":  longestRetryAfter,
		"":                               -1,
		"-1":                             -1,
		"1.5":                            -1,
		"+3":                             -1,
		"soon":                           -1,
	} {
		wait, ok := retryAfter(http.Header{"Retry-After": {value}}, now)
		if ok != (want >= 0) || ok && wait != want {
			t.Errorf("%q: got %s, %t, want %s", value, wait, ok, want)
		}
	}
	if _, ok := retryAfter(http.Header{}, now); ok {
		t.Error("ok without the field")
	}
}
