package client

import (
	"net/netip"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/idna"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// redirectTarget returns the URL that the response redirects to, or nil without a valid Location.
func redirectTarget(attempt *wire.Attempt) *url.URL {
	location := attempt.Header.Get("Location")
	if to, err := attempt.URL.Parse(location); err == nil && location != "" && to.Host != "" {
		return to
	}
	return nil
}

// staysAtService reports whether a redirect leads back to the service, or says nothing about where
// it leads. Sign-in pages are elsewhere.
func staysAtService(attempt *wire.Attempt) bool {
	to := redirectTarget(attempt)
	return to == nil || !isUpgrade(attempt.URL, to) && leadsToService(attempt.URL, to)
}

// isUpgrade reports whether a redirect only replaces http with https, on their default ports.
// Servers that do this do not process the request.
func isUpgrade(from, to *url.URL) bool {
	return from.Scheme == "http" && (from.Port() == "" || from.Port() == "80") &&
		to.Scheme == "https" && (to.Port() == "" || to.Port() == "443") && isSameHost(from, to) &&
		from.EscapedPath() == to.EscapedPath() && from.RawQuery == to.RawQuery
}

// canBeAuthURL reports whether auth_url could be changed from one address to the other.
func canBeAuthURL(from, to *url.URL) bool {
	return (to.Scheme == "https" || to.Scheme == from.Scheme) && to.User == nil &&
		to.RawQuery == "" && to.Fragment == "" && to.String() != from.String() &&
		strings.HasSuffix(strings.TrimSuffix(to.Path, "/"), "/oauth2/token")
}

// leadsToService reports whether a redirect leads back to the service: to the same host, whatever
// its scheme and port, or to the path of the request or one below it. A service behind a gateway
// may know only the address that it has there, whose path lacks the gateway's prefix: so the last
// segments of the path are enough, from two on.
func leadsToService(from, to *url.URL) bool {
	target := path.Clean("/"+to.Path) + "/"
	segments := strings.Split(path.Clean("/"+from.Path), "/")[1:]
	for i := range max(1, len(segments)-1) {
		tail := "/" + strings.Join(segments[i:], "/") + "/"
		if tail != "//" && strings.HasPrefix(target, tail) {
			return true
		}
	}
	return isSameHost(from, to)
}

// isSameHost reports whether two URLs have the same host, however it is written. Where a token may
// be sent, wire.SameOrigin decides, which is stricter.
func isSameHost(a, b *url.URL) bool { return canonicalHost(a) == canonicalHost(b) }

// canonicalHost returns the host of u as an address, or as a name in ASCII without a final dot.
func canonicalHost(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	host, _ = idna.Lookup.ToASCII(host) // even if IDNA refuses the name, for example because of a _
	host = strings.TrimSuffix(host, ".")
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Unmap().String()
	}
	return host
}
