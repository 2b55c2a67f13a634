package redact

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// A decoder decodes parts of a text, which may be truncated.
type decoder func(text string) string

// decoders decode base64, and the escapes of JSON (RFC 8259, section 7), HTML, URLs (RFC 3986,
// section 2.1) and forms.
var decoders = []decoder{
	decodeBase64, decodeJSON, html.UnescapeString,
	unescape(`(?:%[0-9A-Fa-f]{2})+`, url.PathUnescape),
	unescape(`(?:%[0-9A-Fa-f]{2}|\+)+`, url.QueryUnescape),
}

var decodeJSON = unescape(`(?:\\u[0-9A-Fa-f]{4})+|\\.`, unescapeJSON)

// decodes reports whether what text encodes, up to depth times, is secret.
func decodes(text string, depth int, isSecret func(string) bool) bool {
	for _, decode := range decoders {
		decoded := oneLine(decode(text))
		if decoded != text && (isSecret(decoded) ||
			depth > 1 && decodes(decoded, depth-1, isSecret)) {
			return true
		}
	}
	return false
}

// unescape returns a decoder of escapes, which leaves those as they are that decode rejects.
func unescape(escapes string, decode func(string) (string, error)) decoder {
	pattern := regexp.MustCompile(escapes)
	return func(text string) string {
		return pattern.ReplaceAllStringFunc(text, func(found string) string {
			if decoded, err := decode(found); err == nil {
				return decoded
			}
			return found
		})
	}
}

func unescapeJSON(escapes string) (decoded string, err error) {
	if escapes == `\'` { // of JavaScript
		return "'", nil
	}
	err = json.Unmarshal([]byte(`"`+escapes+`"`), &decoded)
	return decoded, err
}

var standardAlphabet = strings.NewReplacer("-", "+", "_", "/")

// decodeBase64 decodes either alphabet, whatever stands between its characters, such as line
// breaks. It starts at each of the first four characters, since base64 may start anywhere in text.
func decodeBase64(text string) string {
	runs := strings.FieldsFunc(standardAlphabet.Replace(text), func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '/' || r > '9') && r != '+'
	})
	encoded := strings.Join(runs, "")
	var decoded []byte
	for start := range min(4, len(encoded)) {
		// An incomplete byte at the end is an error, but all before it is decoded.
		decoded, _ = base64.RawStdEncoding.AppendDecode(decoded, []byte(encoded[start:]))
		decoded = append(decoded, '\n')
	}
	return string(decoded)
}
