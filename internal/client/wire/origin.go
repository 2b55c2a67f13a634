package wire

import (
	"net/url"
	"strings"
)

// Origin is scheme, host and port, as browsers compare them (RFC 6454, section 4): the host in
// lower case, the port always there. Names are not resolved, so that localhost and 127.0.0.1 are
// two origins: localhost may lead to ::1, where another program can listen on the same port.
func Origin(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return u.Scheme + "://" + host + ":" + port
}
