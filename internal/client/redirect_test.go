package client

import (
	"net/http"
	"testing"

	"terraform-provider-notification/internal/client/wire"
)

// The target of a 302 decides whether the service may have processed a submission.
func TestRedirectedSubmission(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address, location string
		want              outcome
	}{
		{"https://a.test/v1", "https://a.test/v1/1", ambiguous},
		{"https://a.test/v1", "HTTPS://A.test:443/login", ambiguous},
		{"https://bücher.test/v1", "https://xn--bcher-kva.test/v1/1", ambiguous},
		{"https://xn--bcher-kva.test/v1", "https://BÜCHER.test/v1/1", ambiguous},
		// The http address of a service behind a proxy that terminates TLS.
		{"https://a.test/v1", "http://a.test/v1/1", ambiguous},
		{"https://a.test:8443/v1", "http://a.test:8080/v1/1", ambiguous},
		// Without a valid Location.
		{"https://a.test/v1", "", ambiguous},
		{"https://a.test/v1", "http://%zz", ambiguous},
		{"https://a.test/v1", "http:///v1/1", ambiguous},
		{"https://a.test/v1", "http:v1", ambiguous},

		{"https://a.test/v1", "https://sso.test/login", rejected},
		{"https://a.test/v1", "http://sso.test/login", rejected},
		{"https://a.test/v1", "https://a.test:8443/login", rejected},
		{"http://a.test/v1", "https://a.test/login", rejected},
		{"http://a.test/v1", "http://a.test:8080/login", rejected},
	} {
		attempt := &wire.Attempt{
			URL: mustParse(test.address), Status: http.StatusFound, Written: true,
			Header: http.Header{"Location": {test.location}},
		}
		if got := classify(SubmitNotification, false, attempt); got != test.want {
			t.Errorf("%s to %s: %d, want %d", test.address, test.location, got, test.want)
		}
	}
}
