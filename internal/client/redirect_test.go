package client

import (
	"net/http"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// After a 302, a submission may have been processed, wherever it leads: to a notification, or to a
// sign-in page. Only an upgrade to https shows that it was not.
func TestOutcomeByRedirectTarget(t *testing.T) {
	t.Parallel()
	const address = "http://a.test/v1"
	for _, test := range []struct {
		address, location string
		want              outcome
	}{
		{address, "https://a.test/v1", rejected},
		{"http://a.test:80/v1?a", "https://A.test:443/v1?a", rejected},

		{address, "https://a.test/v1/1", ambiguous},
		{address, "https://a.test/v1?id=1", ambiguous},
		{address, "https://a.test:8443/v1", ambiguous},
		{address, "https://a.test./v1", ambiguous},
		{address, "https://sso.test/v1", ambiguous},
		{"http://a.test:8080/v1", "https://a.test/v1", ambiguous},
		{"https://a.test/v1", "http://a.test/v1", ambiguous},
		{address, "/v1/1", ambiguous},
		{address, "", ambiguous},
		{address, "http://%zz", ambiguous},
		{address, "http:///v1/1", ambiguous},
	} {
		attempt := &wire.Attempt{
			URL: mustParse(test.address), Status: http.StatusFound, Sent: true,
			Header: http.Header{"Location": {test.location}},
		}
		request := wire.Request{Operation: SubmitNotification}
		if got, _ := judge(request, attempt); got != test.want {
			t.Errorf("%s to %s: got %s, want %s", test.address, test.location, got, test.want)
		}
	}
}
