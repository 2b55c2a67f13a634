// Package response classifies response bodies (HTML page, JSON) and extracts the message, the OAuth
// error code and the tokens that they contain.
//
// However hostile a body is, each function returns within milliseconds. What they return is
// untrusted text: callers sanitize it with package redact.
package response

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
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
	maxRead    = 64 << 10 // bytes of an answer that are searched for words
	maxNesting = 5        // levels of JSON that are: error, errors, the first, its message
)

// What an HTML document begins with, and what one that is called text/html may begin with.
var (
	htmlDocument = regexp.MustCompile(`(?i)^<(?:!doctype\s+html|html)(?:[\s/>]|$)`)
	htmlFragment = regexp.MustCompile(`(?i)^<(?:head|script|meta|title|body|form)(?:[\s/>]|$)`)
)

// IsHTMLPage reports whether a response is an HTML page, such as the sign-in page of a gateway, and so
// not a response of the service: an HTML document with the status of one. Neither a Content-Type nor
// a few words in HTML make a page, since some servers call all they send text/html.
func IsHTMLPage(status int, contentType string, body []byte) bool {
	if status != http.StatusOK && status != http.StatusNonAuthoritativeInfo {
		return false
	}
	body = body[:min(len(body), maxRead)]
	for closed := true; closed; {
		body = bytes.TrimLeftFunc(body, isBlank)
		switch {
		case bytes.HasPrefix(body, []byte("<!--")):
			_, body, closed = bytes.Cut(body, []byte("-->"))
		case bytes.HasPrefix(body, []byte("<?xml")): // of XHTML
			_, body, closed = bytes.Cut(body, []byte("?>"))
		default:
			isHTML := strings.HasPrefix(strings.ToLower(contentType), "text/html")
			return htmlDocument.Match(body) || isHTML && htmlFragment.Match(body)
		}
	}
	return false
}

func isBlank(r rune) bool {
	const byteOrderMark = '\ufeff'
	return unicode.IsSpace(r) || r == byteOrderMark
}

// IsJSON reports whether body is a whole JSON object or array.
func IsJSON(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && (body[0] == '{' || body[0] == '[') && json.Valid(body)
}

// OAuthCode is the error code of an OAuth 2.0 answer (RFC 6749, section 5.2); empty for others.
func OAuthCode(body []byte) string {
	var members map[string]json.RawMessage
	var code string
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members["error"], &code) != nil {
		return ""
	}
	return code
}

// Message is what an answer says, as plain text that is still to be quoted; empty for nothing.
func Message(contentType string, body []byte) string {
	if words := JSONMessage(body); words != "" {
		return words
	}
	body = bytes.TrimSpace(body[:min(len(body), maxRead)])
	kind, _, _ := mime.ParseMediaType(contentType)
	switch {
	case len(body) > 0 && strings.ContainsRune(`{["`, rune(body[0])):
		return string(jsonEscapes.ReplaceAllFunc(body, unescape))
	case bytes.HasPrefix(body, []byte("<")), kind == "text/html", kind == "application/xhtml+xml":
		return htmlText(body)
	}
	return string(body)
}

// escapes are those of JSON; several may stand for one character.
var jsonEscapes = regexp.MustCompile(`(?:\\u[0-9A-Fa-f]{4})+|\\.`)

// unescape decodes escape and encodes the result, so that nothing is escaped that JSON does not
// require. It looks at nothing else, so the JSON may be deep, hold any number, and break off.
func unescape(escape []byte) []byte {
	var text string
	switch {
	case escape[1] == '/':
		return escape[1:]
	case escape[1] != 'u', json.Unmarshal(fmt.Appendf(nil, `"%s"`, escape), &text) != nil:
		return escape
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)        // strings can always be encoded
	return b.Bytes()[1 : b.Len()-2] // without quotes and line break
}

// JSONMessage is what an answer in JSON says in the members that are there for it; empty for others.
func JSONMessage(body []byte) string {
	var value any
	_ = json.Unmarshal(body[:min(len(body), maxRead)], &value) // leaves nil, which says nothing
	return jsonMessage(value, maxNesting)
}

// jsonMessage finds the members of problem+json (RFC 9457, section 3.1) and OAuth 2.0 (RFC 6749, section
// 5.2), and those that most other services use. Of a list the first element has to do.
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
		for _, name := range slices.Sorted(maps.Keys(v)) { // so that "error" comes after "Error"
			members[strings.ToLower(name)] = v[name]
		}
		in := func(name string) string { return jsonMessage(members[name], depth-1) }
		what := cmp.Or(in("title"), in("error"))
		more := cmp.Or(in("detail"), in("error_description"), in("message"))
		return join(join(what, more), in("errors"))
	}
	return ""
}

// join is "what: more", without saying anything twice.
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

// tokenNames are the members that hold tokens, without _ and - and in lower case.
var tokenNames = []string{"accesstoken", "refreshtoken", "idtoken", "token", "clientassertion"}

var dashes = strings.NewReplacer("_", "", "-", "")

// Tokens are what an answer in JSON calls tokens: the strings below members of such names. The
// answer may break off, in a token too.
func Tokens(body []byte) []string {
	body = body[:min(len(body), maxRead)]
	ended := io.MultiReader(bytes.NewReader(body), strings.NewReader(`"`))
	var found []string
	_ = collectTokens(json.NewDecoder(ended), false, &found) // as far as it is JSON
	return found
}

// collectTokens reads one value.
func collectTokens(from *json.Decoder, isToken bool, found *[]string) error {
	value, err := from.Token()
	switch v := value.(type) {
	case string:
		if isToken {
			*found = append(*found, v)
		}
	case json.Delim:
		for err == nil && from.More() {
			below := isToken
			if v == '{' {
				name, _ := from.Token() // no string where the value cannot be read either
				text, _ := name.(string)
				below = below || slices.Contains(tokenNames, strings.ToLower(dashes.Replace(text)))
			}
			err = collectTokens(from, below, found)
		}
		if err == nil {
			_, err = from.Token() // the bracket at the end
		}
	}
	return err
}

// htmlText are the words of a page that a browser would show, its title too.
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
		default: // says nothing to a reader
		}
	}
}
