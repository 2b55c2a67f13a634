package settings

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// emulatorVariable contains the address of the emulator that a test runs against.
// `notification-emulator exec` sets it. While it is set, no request goes anywhere else: addresses
// in a provider block take precedence over NOTIFICATION_AUTH_URL and NOTIFICATION_BASE_URL, and the
// test would notify people.
const emulatorVariable = "NOTIFICATION_EMULATOR_URL"

// emulatorAddress reads the text of emulatorVariable; nil if it is not set. An invalid value is an
// error: if it were ignored, requests would reach the service.
func (l *loader) emulatorAddress(text string) *url.URL {
	if text == "" {
		return nil
	}
	u, err := absolute(text)
	if err != nil || strings.Trim(u.Path, "/") != "" {
		l.diags.AddError(titleVariable+" "+emulatorVariable,
			emulatorVariable+" must be the address of an emulator, such as http://127.0.0.1:8080. "+
				"Unset it to use the notification service itself.")
		return nil
	}
	return u
}

// checkAddress reports an address to which requests may not go.
func (l *loader) checkAddress(name string, address *url.URL) {
	switch {
	case address == nil:
	case l.emulator != nil && !wire.SameOrigin(address, l.emulator):
		advice := "Leave it out of the provider block: the environment has the emulator's address"
		if !slices.Contains(l.inBlock, name) {
			advice = "A job that uses the emulator must not set " + variable(name) +
				" to another address, nor may the variables of its project"
		}
		l.invalid(name, errors.New("is not at "+l.emulator.String()+", the emulator that "+
			emulatorVariable+" names. While that is set, no request goes anywhere else, so that "+
			"a test notifies nobody. "+advice))
	case address.Scheme == "http" && !isLoopback(address.Hostname()) && !l.allowHTTP &&
		!l.isUnknown("allow_insecure_http"):
		l.invalid(name, errors.New("is plain http, which would send the client secret and the "+
			"access token unencrypted; use https, or set allow_insecure_http = true to accept that"))
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost"
}

// absolute reads an absolute URL. No error quotes text.
func absolute(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err == nil {
		u.Host = asciiHost(u)
	}
	isInvisible := func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }
	switch {
	case strings.TrimFunc(text, isInvisible) != text:
		return nil, errors.New("must not begin or end with a space, line break or invisible character")
	case err != nil:
		return nil, errors.New("is not a URL")
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return nil, errors.New(
			"must be an absolute URL such as https://notifications.example.com")
	case !validPort(u.Port()):
		return nil, errors.New("has a port that is not from 1 to 65535")
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
	return u, nil
}

func validPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && port > 0
}

// asciiHost returns the host and port of u as net/http sends them, in lower case, so that requests,
// errors and comparisons have one form: net/http bypasses a proxy for localhost, but not for
// LOCALHOST. IDNA refuses underscores, but converts what is beside them.
func asciiHost(u *url.URL) string {
	host, name := strings.ToLower(u.Host), strings.ToLower(u.Hostname())
	isUnicode := func(r rune) bool { return r >= utf8.RuneSelf }
	if !strings.ContainsFunc(name, isUnicode) {
		return host
	}
	ascii, _ := idna.Lookup.ToASCII(name)
	return strings.Replace(host, name, ascii, 1)
}

// pathSegment reads one segment of a path.
func pathSegment(text string) (string, error) {
	if strings.ContainsAny(text, `/\?#%`) || text == "." || text == ".." || hasControl(text) ||
		text != strings.TrimSpace(text) {
		return "", errors.New(
			"must be a single path segment, without slashes, ?, #, %, or leading or trailing spaces")
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
		return nil, errors.New("must be a path, not a URL")
	case strings.Contains(text, "#"):
		return nil, errors.New("must not have a fragment")
	case hasDotSegment(u.Path):
		return nil, errors.New("must not have . or .. as a segment")
	}
	return u, nil
}

func hasDotSegment(urlPath string) bool {
	segments := strings.Split(urlPath, "/")
	return slices.Contains(segments, ".") || slices.Contains(segments, "..")
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// tokenURL returns the URL for token requests; nil without auth_url. If no path is set, auth_url
// may already end in the default one.
func (l *loader) tokenURL() *url.URL {
	const fallback = "/oauth2/token"
	if l.auth != nil && l.tokenPath == nil &&
		strings.HasSuffix(strings.TrimRight(l.auth.Path, "/"), fallback) {
		return l.auth
	}
	return below(l.auth, l.tokenPath, fallback)
}

// endpoint returns the URL of an endpoint of the service; nil without base_url.
func (l *loader) endpoint(given *url.URL, fallback string) *url.URL {
	return below(l.base, given, path.Join("/", l.system, fallback))
}

// below adds given, which may have a query, to root as it is; where it is nil, the path fallback.
func below(root, given *url.URL, fallback string) *url.URL {
	if root == nil {
		return nil
	}
	given = cmp.Or(given, &url.URL{Path: fallback})
	target := *root
	target.RawPath = strings.TrimRight(root.EscapedPath(), "/") + given.EscapedPath()
	target.Path, _ = url.PathUnescape(target.RawPath) // never fails
	target.RawQuery = given.RawQuery
	return &target
}
