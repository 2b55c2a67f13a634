package client

import (
	"net/http"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// A 302 that leads back to the service, in whatever form, is what servers send after they processed
// a POST. An upgrade to https is not, and neither is a sign-in page.
func TestOutcomeByRedirectTarget(t *testing.T) {
	t.Parallel()
	const address = "https://a.test:8443/v1/n"
	for _, test := range []struct {
		address, location string
		want              outcome
	}{
		{address, "/v1/n/1", ambiguous},
		{address, "/elsewhere", ambiguous},
		{address, "http://a.test:8080/1", ambiguous},
		{address, "https://A.Test./1", ambiguous},
		{address, "", ambiguous},
		{address, "http://%zz", ambiguous},
		{address, "http:///v1/1", ambiguous},
		{"https://m\u00fcnchen.test/v1", "https://XN--MNCHEN-3YA.test./1", ambiguous},
		{"https://xn--mnchen-3ya.test/v1", "https://mu\u0308nchen.test:1/1", ambiguous},
		{"https://A_b.\u00fc.test/v1", "https://a_b.xn--tda.test./1", ambiguous}, // not valid in IDNA
		{"https://[::1]/v1", "https://[0:0:0:0:0:0:0:1]:8443/1", ambiguous},
		{"https://127.0.0.1/v1", "https://[::ffff:127.0.0.1]/1", ambiguous},

		{address, "http://10.1.2.3:8080/v1/n", ambiguous},
		{address, "http://inner/v1//n/1", ambiguous},
		{address + "/", "http://inner/v1/n", ambiguous},
		{"https://a.test/api/gw/v1/n", "http://inner/v1/n/1", ambiguous}, // without the prefix
		{"https://a.test/api/gw/v1/n", "http://inner/n/1", rejected},
		{"https://a.test/n", "http://inner/n/1", ambiguous},
		{address, "http://inner/v1/notes", rejected},
		{address, "http://inner/v1", rejected},
		{address, "http://inner/v1/n/../login", rejected},
		{"https://a.test/", "https://sso.test/login", rejected},
		{"https://a.test", "https://sso.test/", rejected},
		{address, "https://a.test.evil/1", rejected},

		{"http://a.test/v1", "https://a.test/v1", rejected},
		{"http://a.test:80/v1", "https://A.test.:443/v1", rejected},
		{"http://a.test/v1", "https://a.test/v1/1", ambiguous},
		{"http://a.test/v1", "https://a.test/v1?id=1", ambiguous},
		{"http://a.test/v1", "https://a.test:8443/v1", ambiguous},
		{"http://a.test:8080/v1", "https://a.test/v1", ambiguous},
		{"https://a.test/v1", "http://a.test/v1", ambiguous},
	} {
		for _, written := range []bool{true, false} {
			attempt := &wire.Attempt{
				URL: mustParse(test.address), Status: http.StatusFound, Written: written,
				Header: http.Header{"Location": {test.location}},
			}
			request := wire.Request{Operation: SubmitNotification}
			if got := classify(request, attempt, NoReason); got != test.want {
				t.Errorf("%s to %s: got %s, want %s", test.address, test.location, got, test.want)
			}
		}
	}
}
