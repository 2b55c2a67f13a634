package provider

import (
	"strings"
	"testing"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/redact"
)

func quoted(text string) redact.Text { return new(redact.Secrets).Quote(text) }

// The hints that depend on more than one condition. The golden file has the others.
func TestHint(t *testing.T) {
	t.Parallel()
	const submit, lookUp, token = client.SubmitNotification, client.LookUpStudies, client.FetchToken
	for name, test := range map[string]struct {
		operation            client.Operation
		status               int
		location, code, want string
	}{
		"300 with a location":    {submit, 300, "https://a", "", "did not follow the redirect"},
		"399 with a location":    {submit, 399, "https://a", "", "did not follow the redirect"},
		"304 without a location": {submit, 304, "", "", ""},
		"400 with a location":    {submit, 400, "https://a", "", "Correct the arguments"},
		"201 with a location":    {submit, 201, "https://a", "", ""},
		"418":                    {submit, 418, "", "", ""},
		"lookup, 429":            {lookUp, 429, "", "", "max_retries. More time."},

		"token, 300 with a location": {token, 300, "https://a", "", "never follows the redirect"},
		"token, 399 with a location": {token, 399, "https://a", "", "never follows the redirect"},
		"token, 400 with a location": {token, 400, "https://a", "", ""},
		"token, 200":                 {token, 200, "", "", "emptied or truncated the response"},
		"token, 299":                 {token, 299, "", "", "emptied or truncated the response"},
		"token, 199":                 {token, 199, "", "", ""},
		"token, 300":                 {token, 300, "", "", ""},
		"token, 200 with a code":     {token, 200, "", "other", ""},
		"token, 500":                 {token, 500, "", "", "authorization server failed"},
		"token, 499":                 {token, 499, "", "", ""},
	} {
		got := hint(&client.Error{
			Operation: test.operation, Status: test.status, Location: quoted(test.location),
			Code: quoted(test.code),
		}, "More time.")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q", name, got)
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
