package client

import (
	"net/url"
	"strings"

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

// isUpgrade reports whether a redirect only replaces http with https, on their default ports.
// Servers that do this do not process the request.
func isUpgrade(from, to *url.URL) bool {
	return from.Scheme == "http" && (from.Port() == "" || from.Port() == "80") &&
		to.Scheme == "https" && (to.Port() == "" || to.Port() == "443") &&
		strings.EqualFold(from.Hostname(), to.Hostname()) &&
		from.EscapedPath() == to.EscapedPath() && from.RawQuery == to.RawQuery
}

// canBeAuthURL reports whether auth_url could be changed from one address to the other.
func canBeAuthURL(from, to *url.URL) bool {
	return (to.Scheme == "https" || to.Scheme == from.Scheme) && to.User == nil &&
		to.RawQuery == "" && to.Fragment == "" && to.String() != from.String() &&
		strings.HasSuffix(strings.TrimSuffix(to.Path, "/"), "/oauth2/token")
}
