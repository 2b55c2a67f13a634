package settings

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"

	"terraform-provider-notification/internal/client/wire"
)

// emulatorVariable contains the address of the emulator that a test runs against.
// `notification-emulator exec` sets it. While it is set, no request goes anywhere else: addresses
// in a provider block take precedence over NOTIFICATION_AUTH_URL and NOTIFICATION_BASE_URL, and the
// test would notify people.
const emulatorVariable = "NOTIFICATION_EMULATOR_URL"

// emulatorAddress returns the address in emulatorVariable; nil if it is not set. An invalid value
// is an error: if it were ignored, requests would reach the service.
func (r *reader) emulatorAddress() *url.URL {
	text := r.getenv(emulatorVariable)
	if text == "" {
		return nil
	}
	u, err := absolute(text)
	if err != nil || u.Path != "" {
		r.diags.AddError("Invalid environment variable "+emulatorVariable,
			emulatorVariable+" must be the address of an emulator, such as http://127.0.0.1:8080. "+
				"Unset it to use the notification service itself.")
		return nil
	}
	return u
}

// checkAddress reports an address to which requests may not go.
func (r *reader) checkAddress(name string, address *url.URL) {
	switch {
	case address == nil:
	case r.emulator != nil && !wire.SameOrigin(address, r.emulator):
		r.invalid(name, errors.New("is not at "+r.emulator.String()+", the emulator that "+
			emulatorVariable+" names. While that is set, no request goes anywhere else, so that "+
			"a test notifies nobody. Leave the attribute out of the provider block, so that it "+
			"comes from the environment, or unset "+emulatorVariable+" to use the "+
			"notification service itself"))
	case address.Scheme == "http" && !isLoopback(address.Hostname()) && !r.allowHTTP &&
		!r.isUnknown("allow_insecure_http"):
		r.invalid(name, errors.New("is plain http, which would send the client secret and the "+
			"access token unencrypted; use https, or set allow_insecure_http = true to accept that"))
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost"
}

// absolute reads an absolute URL. It removes the slashes at the end, and converts the host to lower
// case: net/http bypasses a proxy for localhost, but not for LOCALHOST. No error quotes text.
func absolute(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("is not a URL")
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return nil, errors.New(
			"must be an absolute URL such as https://notifications.example.com")
	case u.User != nil:
		return nil, errors.New("must not contain user information; " +
			"credentials belong in client_id and client_secret")
	case hasDotSegment(u.Path):
		return nil, errors.New("must not have . or .. as a segment of its path")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, errors.New("must not have a query")
	case strings.Contains(text, "#"):
		return nil, errors.New("must not have a fragment")
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	u.Host = strings.ToLower(u.Host)
	return u, nil
}

// tokenURL reads auth_url and returns {auth_url}/oauth2/token.
func tokenURL(text string) (*url.URL, error) {
	const path = "/oauth2/token"
	root, err := absolute(text)
	if err != nil {
		return nil, err
	}
	root.Path = strings.TrimRight(strings.TrimSuffix(root.Path, path), "/")
	root.RawPath = strings.TrimRight(strings.TrimSuffix(root.RawPath, path), "/")
	return root.JoinPath(path), nil
}

// pathSegment reads one segment of a path.
func pathSegment(text string) (string, error) {
	if strings.ContainsAny(text, `/\?#%`) || text == "." || text == ".." || hasControl(text) ||
		text != strings.TrimSpace(text) {
		return "", errors.New(
			"must be a single path segment, without slashes, ?, #, % or spaces around it")
	}
	return text, nil
}

// relative reads the path of an endpoint, which may have a query.
func relative(text string) (*url.URL, error) {
	u, err := url.Parse("/" + strings.TrimLeft(text, "/"))
	switch {
	case err != nil || hasControl(text) || strings.TrimSpace(text) != text ||
		strings.Trim(text, "/") == "" || strings.Contains(u.RawQuery, " "):
		return nil, errors.New("is not a path")
	case strings.Contains(u.Path, "://"):
		return nil, errors.New("must be a path relative to base_url, not a URL")
	case strings.Contains(text, "#"):
		return nil, errors.New("must not have a fragment")
	case hasDotSegment(u.Path):
		return nil, errors.New("must not have . or .. as a segment")
	}
	return u, nil
}

func hasDotSegment(path string) bool {
	segments := strings.Split(path, "/")
	return slices.Contains(segments, ".") || slices.Contains(segments, "..")
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// endpoint returns the URL of an endpoint: path below base as it is given, or else
// base[/system]/fallback; nil without base.
func (r *reader) endpoint(path *url.URL, fallback string) *url.URL {
	switch {
	case r.base == nil:
		return nil
	case path == nil && r.system == "":
		path = &url.URL{Path: "/" + fallback}
	case path == nil:
		path = &url.URL{Path: "/" + r.system + "/" + fallback}
	}
	target := *r.base
	target.Path = r.base.Path + path.Path
	target.RawPath = r.base.EscapedPath() + path.EscapedPath()
	target.RawQuery = path.RawQuery
	return &target
}
