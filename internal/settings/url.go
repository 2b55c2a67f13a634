package settings

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// absolute reads an absolute URL. It removes the slashes at the end, and converts the host to lower
// case. No error quotes text.
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
	case !validPort(u.Port()):
		return nil, errors.New("has a port that is not from 1 to 65535")
	case hasDotSegment(u.Path):
		return nil, errors.New("must not have . or .. as a segment of its path")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, errors.New("must not have a query")
	case strings.Contains(text, "#"):
		return nil, errors.New("must not have a fragment")
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	u.Host = strings.ToLower(u.Host)
	if u.Hostname() == "localhost." { // net/http sends requests for this spelling to a proxy
		u.Host = strings.Replace(u.Host, ".", "", 1)
	}
	// A request parses the text again, which fails for IPv6 zones that are not ASCII.
	if _, err := url.Parse(u.String()); err != nil {
		return nil, errors.New("is not a URL")
	}
	return u, nil
}

func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost"
}

func hasDotSegment(path string) bool {
	segments := strings.Split(path, "/")
	return slices.Contains(segments, ".") || slices.Contains(segments, "..")
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
