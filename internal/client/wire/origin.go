package wire

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// SameOrigin reports whether two URLs have the same scheme, host and port (RFC 6454, section 5).
// It does not resolve names: localhost may resolve to ::1, where another program can listen on the
// same port as on 127.0.0.1.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && SameHost(a, b) && port(a) == port(b)
}

// SameHost reports whether two URLs have the same host. bücher.test equals xn--bcher-kva.test.
func SameHost(a, b *url.URL) bool { return hostname(a) == hostname(b) }

func hostname(u *url.URL) string {
	name, _ := idna.Lookup.ToASCII(u.Hostname()) // fails for an IPv6 address
	return strings.ToLower(cmp.Or(name, u.Hostname()))
}

func port(u *url.URL) string {
	if u.Scheme == "https" {
		return cmp.Or(u.Port(), "443")
	}
	return cmp.Or(u.Port(), "80")
}
