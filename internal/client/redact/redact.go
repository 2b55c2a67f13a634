// Package redact sanitizes untrusted text for display. No other package of the provider does.
//
// It returns one short line of printable characters, in which secrets are masked. A text in which a
// secret shows once it is decoded, as JSON, HTML, part of a URL or base64, up to twice, is not
// shown at all; neither is one with a secret of more than 128 bytes. Other encodings, and parts of
// a secret, are not noticed. Commands for the runners of pipelines are made harmless. However
// hostile a text is, sanitizing it takes milliseconds, and a secret costs nothing before there is a
// text to search.
package redact

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

const (
	mask     = "***"
	notShown = "(not shown, since it repeats a secret)"

	maxQuote = 300  // characters that Quote returns
	maxClean = 1000 // characters that Clean and CleanError return

	maxRead = 8 << 10 // bytes of a text that are searched for secrets
	maxTail = 1 << 10 // last bytes of those, which are dropped: a truncated secret may begin there
)

// Text is one sanitized line. Only this package can construct one that is not empty.
type Text struct{ line string }

func (t Text) String() string { return t.line }

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.line == "" }

// Error is an error with sanitized text. It wraps the original error.
type Error struct {
	text string
	err  error
}

func (e *Error) Error() string { return e.text }
func (e *Error) Unwrap() error { return e.err }

// Quote sanitizes text for a short quotation, of at most 300 characters.
func (s *Secrets) Quote(text string) Text { return Text{s.clean(text, maxQuote)} }

// Clean sanitizes text that is needed as a whole, such as a URL, up to 1000 characters.
func (s *Secrets) Clean(text string) Text { return Text{s.clean(text, maxClean)} }

// CleanJSON sanitizes a JSON text as Clean does. What its strings encode is searched as if each stood
// alone: a message that is not shown must not show as a part of its JSON.
func (s *Secrets) CleanJSON(text string) Text {
	if s.clean(decodeJSON(text), maxClean) == notShown {
		return Text{notShown}
	}
	return s.Clean(text)
}

// CleanError returns err with sanitized text, since an error may quote a response. For nil it
// returns nil.
func (s *Secrets) CleanError(err error) *Error {
	if err == nil {
		return nil
	}
	return &Error{text: s.clean(err.Error(), maxClean), err: err}
}

var userInfo = regexp.MustCompile(`//[^/]*@`)

// CleanURL sanitizes u as CleanReference does.
func (s *Secrets) CleanURL(u *url.URL) Text { return s.CleanReference(u.String()) }

// CleanReference sanitizes a URL or a relative reference (RFC 3986, section 4.1) without user
// information, query and fragment, which may contain secrets.
func (s *Secrets) CleanReference(reference string) Text {
	m := s.masker()
	text := m.mask(oneLine(reference)) // first, since a secret may contain ? or #
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		// A secret that the query alone encodes is cut off with it.
		if m.encodes(text) && !m.encodes(text[end:]) {
			return Text{notShown}
		}
		text = text[:end]
	}
	return s.Clean(userInfo.ReplaceAllString(text, "//"))
}

// clean masks secrets, then truncates text to limit characters, so that no part of a secret
// remains.
func (s *Secrets) clean(text string, limit int) string {
	line, tail := oneLine(text[:min(len(text), maxRead)]), 0
	if len(text) > maxRead {
		tail = len(line) - len(oneLine(text[:maxRead-maxTail]))
	}
	m := s.masker()
	masked := m.mask(line)
	shown := cut(masked, tail, limit)
	examined := masked[:min(len(masked), len(shown)+2*maxTail)] // one may begin in shown and end later
	if strings.Contains(masked, longSecret) || m.encodes(examined) {
		return notShown
	}
	return logCommands.ReplaceAllStringFunc(shown, strings.NewReplacer("#", "# ", ":", ": ").Replace)
}

// cut drops the last tail bytes of line, and all characters after limit.
func cut(line string, tail, limit int) string {
	line = strings.ToValidUTF8(line[:max(0, len(line)-tail)], "")
	if characters := []rune(line); len(characters) > limit {
		return string(characters[:limit]) + "…"
	}
	return line
}

// logCommands matches what the runners of pipelines execute in a log: ##[ or ##word[ anywhere in a
// line, and :: at the beginning of one, where Terraform's line breaks may put any word. It matches
// all of a run of these characters, so that no command remains.
var logCommands = regexp.MustCompile(`##[^\s\[]*\[|(?:^|\s)::+`)

// oneLine removes unprintable characters from text and replaces white space with single spaces.
func oneLine(text string) string {
	printable := strings.Map(func(char rune) rune {
		if unicode.IsPrint(char) || unicode.IsSpace(char) {
			return char
		}
		return -1
	}, text)
	return strings.Join(strings.Fields(printable), " ")
}
