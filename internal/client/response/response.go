// Package response classifies response bodies, and extracts messages and OAuth error codes.
//
// However hostile a body is, this takes milliseconds. The results are untrusted text, which callers
// sanitize with package redact.
package response

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

const (
	maxRead    = 63 << 10 // bytes of a body that are examined: fewer than are read of an error
	maxNesting = 5        // levels of JSON that are searched for a message
)

// htmlDocument matches the start of an HTML document; htmlFragment, starts that need text/html.
var (
	htmlDocument = regexp.MustCompile(`(?i)^<(?:!doctype\s+html|html)(?:[\s/>]|$)`)
	htmlFragment = regexp.MustCompile(`(?i)^<(?:head|script|meta|title|body|form)(?:[\s/>]|$)`)
)

// IsHTMLPage reports whether a response is an HTML document with status 200 or 203, such as the
// sign-in page of a gateway, and so not a response of the service. The Content-Type alone does not
// decide: some servers send everything as text/html. If such a body cannot be read, it counts as a
// page. bodyErr is why the body is incomplete, or nil. See the service contract, "Submissions".
func IsHTMLPage(status int, header http.Header, body []byte, bodyErr error) bool {
	if status != http.StatusOK && status != http.StatusNonAuthoritativeInfo {
		return false
	}
	isHTML := strings.HasPrefix(strings.ToLower(header.Get("Content-Type")), "text/html")
	if isHTML && (errors.Is(bodyErr, gzip.ErrHeader) || isEncoded(header, body)) {
		return true
	}
	body = body[:min(len(body), maxRead)]
	for len(body) > 0 {
		body = bytes.TrimLeftFunc(body, isBlank)
		switch {
		case bytes.HasPrefix(body, []byte("<!--")):
			_, body, _ = bytes.Cut(body, []byte("-->")) // nil without the end
		case bytes.HasPrefix(body, []byte("<?xml")): // XHTML
			_, body, _ = bytes.Cut(body, []byte("?>"))
		default:
			return htmlDocument.Match(body) || isHTML && htmlFragment.Match(body)
		}
	}
	return false
}

// isEncoded reports whether body has a Content-Encoding that net/http did not decode, or is UTF-16
// or binary.
func isEncoded(header http.Header, body []byte) bool {
	encoding := header.Get("Content-Encoding")
	return len(body) > 0 && !IsJSON(body) &&
		(encoding != "" && !strings.EqualFold(encoding, "identity") ||
			bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) ||
			bytes.IndexByte(body, 0) >= 0)
}

func isBlank(r rune) bool {
	const byteOrderMark = '\ufeff'
	return unicode.IsSpace(r) || r == byteOrderMark
}

// IsJSON reports whether body is a complete JSON object or array.
func IsJSON(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && (body[0] == '{' || body[0] == '[') && json.Valid(body)
}

// OAuthCode returns the OAuth 2.0 error code in body (RFC 6749, section 5.2), or "".
func OAuthCode(body []byte) string {
	var members map[string]json.RawMessage
	var code string
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members["error"], &code) != nil {
		return ""
	}
	return code
}

// Message returns the message of a JSON body, the visible text of HTML, or else the body itself.
func Message(contentType string, body []byte) string {
	if words := JSONMessage(body); words != "" {
		return words
	}
	text := bytes.TrimSpace(body[:min(len(body), maxRead)])
	kind, _, _ := mime.ParseMediaType(contentType)
	isJSON := len(text) > 0 && strings.ContainsRune(`{["`, rune(text[0]))
	isHTML := kind == "text/html" || kind == "application/xhtml+xml"
	if bytes.HasPrefix(text, []byte("<")) || isHTML && !isJSON {
		if end := bytes.LastIndexByte(text, '<'); len(body) > maxRead && end >= 0 {
			text = text[:end] // what follows may end within a secret
		}
		return htmlText(text)
	}
	return string(text)
}

// JSONMessage returns the message in the known members of a JSON body; empty if there is none.
func JSONMessage(body []byte) string {
	var value any
	_ = json.Unmarshal(body[:min(len(body), maxRead)], &value) // on failure, value stays nil
	return jsonMessage(value, maxNesting)
}

// jsonMessage reads the members of problem+json (RFC 9457, section 3.1) and OAuth 2.0 (RFC 6749,
// section 5.2), and those that most other services use. Of an array it reads the first element.
func jsonMessage(value any, depth int) string {
	if depth == 0 {
		return ""
	}
	switch v := value.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return jsonMessage(v[0], depth-1)
		}
	case map[string]any:
		members := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) { // "error" replaces "Error"
			members[strings.ToLower(name)] = v[name]
		}
		in := func(name string) string { return jsonMessage(members[name], depth-1) }
		what := cmp.Or(in("title"), in("error"))
		more := cmp.Or(in("detail"), in("error_description"), in("message"))
		return join(join(what, more), in("errors"))
	}
	return ""
}

// join returns "what: more", or only one of them if it contains the other.
func join(what, more string) string {
	switch {
	case strings.Contains(more, what):
		return more
	case strings.Contains(what, more):
		return what
	default:
		return what + ": " + more
	}
}

// htmlText returns the visible text of an HTML page, and its title.
func htmlText(page []byte) string {
	var b strings.Builder
	hidden := false
	tokenizer := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch tokenizer.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if !hidden {
				b.Write(tokenizer.Text())
				b.WriteByte(' ')
			}
		case html.StartTagToken:
			name, _ := tokenizer.TagName()
			hidden = string(name) == "script" || string(name) == "style"
		case html.EndTagToken:
			hidden = false
		default: // contains no text
		}
	}
}
