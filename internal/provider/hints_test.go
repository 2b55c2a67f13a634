package provider

import (
	"io"
	"strings"
	"testing"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/redact"
)

func quoted(text string) redact.Text { return new(redact.Secrets).Quote(text) }

func cleaned(err error) *redact.Error { return new(redact.Secrets).CleanError(err) }

// The hints that depend on more than one condition. The golden file has the others.
func TestHint(t *testing.T) {
	t.Parallel()
	submission := func(status int, location string) *client.Error {
		return &client.Error{
			Operation: client.SubmitNotification, Status: status, Location: quoted(location),
		}
	}
	token := func(status int, location, code string) *client.Error {
		return &client.Error{
			Operation: client.FetchToken, Status: status,
			Location: quoted(location), Code: quoted(code),
		}
	}
	for name, test := range map[string]struct {
		failed *client.Error
		want   string
	}{
		"300 with a location":    {submission(300, "https://a"), "did not follow the redirect"},
		"399 with a location":    {submission(399, "https://a"), "did not follow the redirect"},
		"304 without a location": {submission(304, ""), ""},
		"400 with a location":    {submission(400, "https://a"), "Correct the arguments"},
		"201 with a location":    {submission(201, "https://a"), ""},
		"418":                    {submission(418, ""), ""},
		"lookup, 429": {
			&client.Error{Operation: client.LookUpStudies, Status: 429}, "or raise max_retries.",
		},
		"lookup, 400": {&client.Error{Operation: client.LookUpStudies, Status: 400}, ""},
		"lookup, 409": {&client.Error{Operation: client.LookUpStudies, Status: 409}, ""},
		"lookup, cut off": {
			&client.Error{Operation: client.LookUpStudies, Status: 200, Err: cleaned(io.ErrUnexpectedEOF)},
			"broke off. Wait a while",
		},
		"token, 300 with a location": {token(300, "https://a", ""), "never follows the redirect"},
		"token, 399 with a location": {token(399, "https://a", ""), "never follows the redirect"},
		"token, 400 with a location": {token(400, "https://a", ""), ""},
		"token, 200":                 {token(200, "", ""), "emptied or truncated the response"},
		"token, 299":                 {token(299, "", ""), "emptied or truncated the response"},
		"token, 199":                 {token(199, "", ""), ""},
		"token, 300":                 {token(300, "", ""), ""},
		"token, 200 with a code":     {token(200, "", "other"), ""},
		"token, 500":                 {token(500, "", ""), "authorization server failed"},
		"token, 499":                 {token(499, "", ""), ""},
	} {
		got := hint(test.failed, "More time.")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Only an answer that a setting can change says what to do before the same key is tried again.
func TestSettingsHint(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{
		299: false, 300: true, 303: false, 399: true, 401: true, 404: true, 429: false, 500: false,
	} {
		failed := &client.Error{
			Operation: client.SubmitNotification, Status: status, Location: quoted("https://a"),
		}
		if got := settingsHint(failed); (got != "") != want {
			t.Errorf("%d: %q", status, got)
		}
	}
}

// By which id the server logged a request is said after the request's own.
func TestFacts_serverID(t *testing.T) {
	t.Parallel()
	failed := &client.Error{
		Method: "POST", URL: quoted("https://a"), Status: 400, ServerID: quoted("abc"),
	}
	const want = "    POST https://a\n    logged by the server as \"abc\""
	if got := facts(failed); got != want {
		t.Errorf("got %s", got)
	}
}
