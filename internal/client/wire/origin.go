package wire

import (
	"cmp"
	"net"
	"net/url"
	"strings"
)

// Origin is scheme, host and port, as browsers compare them (RFC 6454, section 4): the host in
// lower case, the port always there. Names are not resolved, so that localhost and 127.0.0.1 are
// two origins: localhost may lead to ::1, where another program can listen on the same port.
func Origin(u *url.URL) string {
	port := "80"
	if u.Scheme == "https" {
		port = "443"
	}
	host := strings.ToLower(u.Hostname())
	return u.Scheme + "://" + net.JoinHostPort(host, cmp.Or(u.Port(), port))
}
