package provider

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	clientwire "terraform-provider-notification/internal/client/wire"
)

const exchangePath = "/oauth2/token"

// tokenURL is {auth_url}/oauth2/token. nil stays nil.
func tokenURL(auth *url.URL) *url.URL {
	if auth == nil {
		return nil
	}
	root := *auth
	root.Path = strings.TrimRight(strings.TrimSuffix(root.Path, exchangePath), "/")
	root.RawPath = strings.TrimRight(strings.TrimSuffix(root.RawPath, exchangePath), "/")
	return root.JoinPath(exchangePath)
}

// address reads an absolute URL; nil when it is missing, wrong or not known. Its
// path has no trailing slash.
func (s *settings) address(attribute string, value types.String, allowHTTP bool) *url.URL {
	text := s.required(attribute, value)
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	var reason string
	switch {
	case err != nil:
		reason = "is not a URL"
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		reason = "must be an absolute URL such as https://notifications.example.com"
	case u.User != nil:
		reason = "must not hold user information; credentials belong in client_id and client_secret"
	case !validPort(u.Port()):
		reason = "has a port above 65535"
	case hasDotSegment(u.Path):
		reason = "must not have . or .. as a segment of its path"
	case u.RawQuery != "" || u.ForceQuery:
		reason = "must not have a query"
	case u.Fragment != "" || strings.Contains(text, "#"):
		reason = "must not have a fragment"
	case s.onlyAt != "" && clientwire.Origin(u) != s.onlyAt:
		reason = "is not at " + s.onlyAt + ", the emulator that " + emulatorVariable + " names. While " +
			"that is set, no request goes anywhere else, so that a test notifies nobody. Leave " +
			attribute + " out of the provider block, so that it comes from the environment, or unset " +
			emulatorVariable + " to use the notification service itself"
	case u.Scheme == "http" && !allowHTTP && !isLoopback(u.Hostname()):
		reason = "is plain http, which would send the client secret and the access token in the " +
			"clear; use https, or set allow_insecure_http = true to accept that"
	}
	if reason != "" {
		s.invalid(attribute, "%s", reason)
		return nil
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() ||
		strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}

// segment reads one segment of a path.
func (s *settings) segment(attribute string, value types.String) string {
	text, _ := s.text(attribute, value)
	if strings.ContainsAny(text, `/\?#%`) || text == "." || text == ".." || hasControl(text) ||
		text != strings.TrimSpace(text) {
		s.invalid(
			attribute,
			"must be a single path segment, without slashes, ?, #, %% or blanks around it",
		)
		return ""
	}
	return text
}

// endpoint is the address of an endpoint: the path that is set, relative to base
// and verbatim, or else base[/system]/fallback. nil when base is not there or the
// path is wrong.
func (s *settings) endpoint(
	attribute string, value types.String, base *url.URL, system, fallback string,
) *url.URL {
	text, ok := s.text(attribute, value)
	if ok {
		u, err := url.Parse("/" + strings.TrimLeft(text, "/"))
		switch {
		case err != nil || hasControl(text) || strings.TrimSpace(text) != text || strings.Trim(text, "/") == "" ||
			strings.Contains(u.RawQuery, " "):
			s.invalid(attribute, "is not a path")
			return nil
		case strings.Contains(u.Path, "://"):
			s.invalid(attribute, "must be a path relative to base_url, not a URL")
			return nil
		case strings.Contains(text, "#"):
			s.invalid(attribute, "must not have a fragment")
			return nil
		case hasDotSegment(u.Path):
			s.invalid(attribute, "must not have . or .. as a segment")
			return nil
		case base == nil:
			return nil
		}
		return below(base, u)
	}
	if base == nil {
		return nil
	}
	if system != "" {
		fallback = system + "/" + fallback
	}
	return below(base, &url.URL{Path: "/" + fallback})
}

// below is the path and query of u below base, both as they are spelled.
func below(base, u *url.URL) *url.URL {
	target := *base
	target.Path, target.RawPath = base.Path+u.Path, base.EscapedPath()+u.EscapedPath()
	target.RawQuery = u.RawQuery
	return &target
}

func hasDotSegment(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
