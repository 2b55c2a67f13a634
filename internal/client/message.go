package client

import (
	"bytes"
	"encoding/json"
	"mime"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// maxMessage bounds a quotation from an answer, in runes.
const maxMessage = 300

// isHTML reports whether the answer is a page for people, such as the sign-in
// page of a gateway. Some servers call all they send text/html: an empty answer
// and JSON, cut off or not, are no page whatever they are called.
func (a *answer) isHTML() bool {
	body := bytes.TrimSpace(trimBOM(a.body))
	switch {
	case bytes.HasPrefix(body, []byte("<")):
		return true
	case len(body) == 0, bytes.ContainsAny(body[:1], `{["`):
		return false
	}
	kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	if err != nil {
		return false
	}
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// trimBOM takes off the byte order mark that RFC 8259, section 8.1, lets parsers ignore.
func trimBOM(body []byte) []byte {
	return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
}

// message is what an error answer says, as plain text that is still to be quoted;
// empty when it says nothing.
func message(ans *answer) string {
	body := bytes.TrimSpace(trimBOM(ans.body))
	if len(body) == 0 {
		return ""
	}
	var value any
	if err := json.Unmarshal(body, &value); err == nil {
		if text := jsonMessage(value); text != "" {
			return text
		}
		plain, err := json.Marshal(value) // in one spelling, so that secrets are found
		if err != nil {
			return ""
		}
		return string(plain)
	}
	if ans.isHTML() {
		return htmlWords(body)
	}
	return string(body)
}

// oauthCode is the error code of an OAuth 2.0 answer; empty when body is none.
func oauthCode(body []byte) string {
	var answer struct {
		Code string `json:"error"`
	}
	if json.Unmarshal(trimBOM(body), &answer) != nil {
		return ""
	}
	return answer.Code
}

// jsonMessage finds the words in the usual shapes: problem+json (RFC 9457), OAuth
// 2.0 (RFC 6749, section 5.2), and the members that other services use.
func jsonMessage(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, element := range v {
			if text := jsonMessage(element); text != "" {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, "; ")
	case map[string]any:
		first := pick(v, "title", "error", "code", "fault")
		second := pick(v, "detail", "error_description", "message", "description", "reason", "faultstring", "msg")
		return joinMessage(joinMessage(first, second), pick(v, "errors", "details", "violations", "invalid-params"))
	default:
		return ""
	}
}

// pick returns the words of the first of the members that has any.
func pick(object map[string]any, members ...string) string {
	for _, name := range members {
		for key, value := range object {
			if strings.EqualFold(key, name) {
				if text := jsonMessage(value); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// joinMessage is "what: more", without saying anything twice.
func joinMessage(what, more string) string {
	switch {
	case what == "" || strings.Contains(more, what):
		return more
	case more == "" || strings.Contains(what, more):
		return what
	default:
		return what + ": " + more
	}
}

// htmlWords are the words of a page that a browser would show, its title first.
func htmlWords(page []byte) string {
	var b strings.Builder
	hidden := 0
	tokenizer := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch tokenizer.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if hidden == 0 {
				b.Write(tokenizer.Text())
				b.WriteByte(' ')
			}
		case html.StartTagToken:
			if name, _ := tokenizer.TagName(); isHidden(name) {
				hidden++
			}
		case html.EndTagToken:
			if name, _ := tokenizer.TagName(); isHidden(name) && hidden > 0 {
				hidden--
			}
		default: // says nothing to a reader
		}
	}
}

func isHidden(tag []byte) bool {
	return string(tag) == "script" || string(tag) == "style"
}

// oneLine folds white space and drops what is not printable.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Join(strings.Fields(text), " ")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}

// cut shortens long text.
func cut(text string) string {
	if runes := []rune(text); len(runes) > maxMessage {
		return string(runes[:maxMessage]) + "…"
	}
	return text
}
