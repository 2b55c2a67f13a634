package settings

import (
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client/wire"
)

// address reads an absolute URL; nil when it is missing, wrong or not known. Its path has no
// trailing slash.
func (r *reader) address(attribute string, value types.String, allowHTTP bool) *url.URL {
	text := r.required(attribute, value, "https://unused.invalid")
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
	case r.emulator != "" && wire.Origin(u) != r.emulator:
		reason = "is not at " + r.emulator + ", the emulator that " + emulatorVariable +
			" names. While that is set, no request goes anywhere else, so that a test notifies " +
			"nobody. Leave " + attribute + " out of the provider block, so that it comes from the " +
			"environment, or unset " + emulatorVariable + " to use the notification service itself"
	case u.Scheme == "http" && !allowHTTP && !isLoopback(u.Hostname()):
		reason = "is plain http, which would send the client secret and the access token in the " +
			"clear; use https, or set allow_insecure_http = true to accept that"
	}
	if reason != "" {
		r.invalid(attribute, "%s", reason)
		return nil
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u
}

// segment reads one segment of a path.
func (r *reader) segment(attribute string, value types.String) string {
	text, _ := r.text(attribute, value)
	if strings.ContainsAny(text, `/\?#%`) || text == "." || text == ".." || hasControl(text) ||
		text != strings.TrimSpace(text) {
		r.invalid(attribute,
			"must be a single path segment, without slashes, ?, #, %% or blanks around it")
		return ""
	}
	return text
}

// endpoint reads the path of an endpoint and returns its address: the path as it is written, below
// base, or else base[/system]/fallback. nil when there is no base or the path is wrong.
func (r *reader) endpoint(
	attribute string, value types.String, base *url.URL, system, fallback string,
) *url.URL {
	text, ok := r.text(attribute, value)
	if !ok {
		if system != "" {
			fallback = system + "/" + fallback
		}
		return below(base, &url.URL{Path: "/" + fallback})
	}
	u, err := url.Parse("/" + strings.TrimLeft(text, "/"))
	switch {
	case err != nil || hasControl(text) || strings.TrimSpace(text) != text ||
		strings.Trim(text, "/") == "" || strings.Contains(u.RawQuery, " "):
		r.invalid(attribute, "is not a path")
	case strings.Contains(u.Path, "://"):
		r.invalid(attribute, "must be a path relative to base_url, not a URL")
	case strings.Contains(text, "#"):
		r.invalid(attribute, "must not have a fragment")
	case hasDotSegment(u.Path):
		r.invalid(attribute, "must not have . or .. as a segment")
	default:
		return below(base, u)
	}
	return nil
}
