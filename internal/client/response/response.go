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
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

const (
	maxRead    = 63 << 10 // bytes of a body that are examined: fewer than are read of an error
	maxNesting = 5        // levels of JSON that are searched for a message
	maxMessage = 300      // bytes; of a longer message, callers may not show all
)

var (
	htmlType     = regexp.MustCompile(`(?i)^(?:text/html|application/xhtml\+xml)`)
	htmlDocument = regexp.MustCompile(`(?i)^<(?:!doctype\s*html|html)(?:[\s/>]|$)`)
)

// IsHTMLPage reports whether a response is an HTML page with a status 2xx other than 201 and 202,
// such as the sign-in page of a gateway, and so not a response of the service. A body of an HTML
// type that cannot be read counts as a page too. bodyErr is why the body is incomplete, or nil. See
// the service contract, "Submissions".
func IsHTMLPage(status int, header http.Header, body []byte, bodyErr error) bool {
	if status/100 != 2 || status == http.StatusCreated || status == http.StatusAccepted {
		return false
	}
	unreadable := errors.Is(bodyErr, gzip.ErrHeader) || IsUnreadable(header, body)
	return IsHTML(header, body) || unreadable && htmlType.MatchString(header.Get("Content-Type"))
}

// IsHTML reports whether body is an HTML document, or has an HTML type and begins with any tag. The
// type alone does not decide: some servers send everything as text/html.
func IsHTML(header http.Header, body []byte) bool {
	anyTag := htmlType.MatchString(header.Get("Content-Type"))
	body = body[:min(len(body), maxRead)]
	for len(body) > 0 {
		body = bytes.TrimLeftFunc(body, isBlank)
		switch {
		case bytes.HasPrefix(body, []byte("<!--")):
			_, body, _ = bytes.Cut(body, []byte("-->")) // nil without the end
		case bytes.HasPrefix(body, []byte("<?xml")): // XHTML, or other XML
			_, body, _ = bytes.Cut(body, []byte("?>"))
			anyTag = false
		default:
			return htmlDocument.Match(body) || anyTag && bytes.HasPrefix(body, []byte("<"))
		}
	}
	return false
}

// IsUnreadable reports whether body has a Content-Encoding that net/http did not decode, or is
// UTF-16 or binary. A JSON object or array is none of these, whatever the header says.
func IsUnreadable(header http.Header, body []byte) bool {
	// No text has other control characters, not even a coloured one; UTF-16 has zero bytes.
	isBinary := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", r) }
	encoding := header.Get("Content-Encoding")
	return len(body) > 0 && JSON(body) == "" &&
		(encoding != "" && !strings.EqualFold(encoding, "identity") ||
			bytes.ContainsFunc(body[:min(len(body), maxRead)], isBinary))
}

// JSON returns body if it is a JSON object or array; empty for any other.
func JSON(body []byte) string {
	text := bytes.TrimSpace(body)
	if json.Valid(text) && (text[0] == '{' || text[0] == '[') {
		return string(text)
	}
	return ""
}

// SaysMore reports whether a JSON body says more than its status and the message that is read from
// it: whether it has a text or a number that is neither the one nor a part of the other. The
// problem type about:blank says nothing (RFC 9457, section 4.2.1), and a long message is cut.
func SaysMore(body []byte, status int) bool {
	value := decode(body)
	message := jsonMessage(value, maxNesting)
	if len(message) > maxMessage {
		return true
	}
	message = ": " + message + ": " // as join puts its parts together
	return saysMore(value, strconv.Itoa(status), message)
}

func saysMore(value any, status, message string) bool {
	says := func(each any) bool { return saysMore(each, status, message) }
	switch v := value.(type) {
	case []any:
		return slices.ContainsFunc(v, says)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), says)
	}
	text := fmt.Sprint(value)
	return value != nil && !IsEmpty(json.RawMessage(text)) && text != status && text != "about:blank" &&
		!strings.Contains(message, ": "+text+": ")
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' } // a byte order mark

// OAuthCode returns the OAuth 2.0 error code in body (RFC 6749, section 5.2), or "".
func OAuthCode(body []byte) (code string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(body, &members)          // on failure, members stays nil
	_ = json.Unmarshal(members["error"], &code) // on failure, code stays empty
	return code
}

// Message returns the message of a JSON body, the visible text of HTML or XML, or else the body
// itself; empty if that cannot be read, or is a JSON object or array without a message.
func Message(header http.Header, body []byte) string {
	if words := JSONMessage(body); words != "" || JSON(body) != "" || IsUnreadable(header, body) {
		return words
	}
	text := bytes.TrimSpace(body[:min(len(body), maxRead)])
	isJSON := len(text) > 0 && strings.ContainsRune(`{["`, rune(text[0]))
	isHTML := htmlType.MatchString(header.Get("Content-Type"))
	if bytes.HasPrefix(text, []byte("<")) || isHTML && !isJSON {
		isHTML = isHTML || IsHTML(header, text)
		if end := bytes.LastIndexByte(text, '<'); len(body) > maxRead && end >= 0 {
			text = text[:end] // what follows may end within a secret
		}
		if visible := htmlText(text); isHTML || strings.TrimSpace(visible) != "" {
			return visible
		}
	}
	return string(text) // XML may have all of its words in attributes
}

// JSONMessage returns the message in the known members of a JSON body; empty if there is none.
func JSONMessage(body []byte) string {
	return jsonMessage(decode(body[:min(len(body), maxRead)]), maxNesting)
}

// decode returns a JSON value, with its numbers as they are; nil if it is not valid.
func decode(value []byte) (decoded any) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	if json.Valid(value) {
		_ = decoder.Decode(&decoded) // what is valid can be decoded
	}
	return decoded
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

// encode returns value as JSON.
func encode(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // what was decoded can be encoded
	return strings.TrimSpace(b.String())
}

// ErrorMembers returns the members error and errors of a JSON object, in any case, that are not
// empty, as JSON; empty if there are none. alone reports whether every other member is null.
func ErrorMembers(body []byte) (members string, alone bool) {
	var object map[string]json.RawMessage
	_ = json.Unmarshal(body, &object) // on failure, object is empty
	found, alone := map[string]any{}, true
	for name, value := range object {
		if lower := strings.ToLower(name); lower != "error" && lower != "errors" {
			alone = alone && string(value) == "null"
		} else if !IsEmpty(value) {
			found[name] = decode(value)
		}
	}
	if len(found) == 0 {
		return "", false
	}
	return encode(found), alone
}

var emptyJSON = regexp.MustCompile(`^(null|false|""|\[\s*\]|\{\s*\}|-?0(\.0+)?([eE][+-]?[0-9]+)?)?$`)

// IsEmpty reports whether a JSON value says nothing: absent, null, false, zero, or empty.
func IsEmpty(value json.RawMessage) bool { return emptyJSON.Match(value) }

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

// htmlText returns the visible text of HTML or XML, and its title.
func htmlText(page []byte) string {
	var b strings.Builder
	hidden := false
	tokenizer := html.NewTokenizer(bytes.NewReader(page))
	tokenizer.AllowCDATA(true) // of XML
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
