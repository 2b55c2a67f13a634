package settings

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
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

// below is the path and query of u below base, both as they are spelled. A nil base stays nil.
func below(base, u *url.URL) *url.URL {
	if base == nil {
		return nil
	}
	target := *base
	target.Path, target.RawPath = base.Path+u.Path, base.EscapedPath()+u.EscapedPath()
	target.RawQuery = u.RawQuery
	return &target
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

func hasDotSegment(path string) bool {
	segments := strings.Split(path, "/")
	return slices.Contains(segments, ".") || slices.Contains(segments, "..")
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
