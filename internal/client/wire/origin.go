package wire

import (
	"cmp"
	"net/url"
	"strings"
)

// SameOrigin reports whether two URLs have the same scheme, host and port (RFC 6454, section 5).
// It does not resolve names: localhost may resolve to ::1, where another program can listen on the
// same port as on 127.0.0.1.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if u.Scheme == "https" {
		return cmp.Or(u.Port(), "443")
	}
	return cmp.Or(u.Port(), "80")
}
