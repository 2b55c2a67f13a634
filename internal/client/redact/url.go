package redact

import (
	"net/url"
	"regexp"
	"strings"
)

var userInfo = regexp.MustCompile(`//[^/]*@`)

// CleanURL sanitizes u without user information, query and fragment, which may contain secrets.
func (s *Secrets) CleanURL(u *url.URL) Text {
	text := masked(s.blank(u.String())) // first, since a secret may contain ? or #
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		text = text[:end]
	}
	return s.Clean(userInfo.ReplaceAllString(text, "//"))
}
