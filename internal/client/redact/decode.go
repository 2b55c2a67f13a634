package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxDepth = 3 // encodings that may be nested

// decoders decode the encoded parts of a text, whatever stands between them. The text may be
// truncated.
var decoders = []func(string) string{
	unescapeJSON, html.UnescapeString, unescapePath, unescapeForm, decodeBase64,
}

// decodings returns everything that texts may encode, up to maxDepth times.
func decodings(texts ...string) string {
	var all []string
	seen := map[string]bool{}
	texts = slices.Compact(texts)
	for _, text := range texts {
		seen[text] = true
		all = append(all, misread(text)...)
	}
	for range maxDepth {
		var decoded []string
		for _, text := range texts {
			for _, decode := range decoders {
				if result := decode(text); !seen[result] {
					seen[result] = true
					decoded = append(decoded, result)
				}
			}
		}
		all, texts = append(all, decoded...), decoded
	}
	return strings.Join(all, separator)
}

// misread decodes what follows each character that may begin an escape. If it begins none, but an
// encoded secret follows, decoding the whole text misreads the start of the secret.
func misread(text string) []string {
	var decoded []string
	for i := range len(text) {
		end := min(i+1+4*decodedPrefix, len(text))
		// The rest of an address, in which the values of headers stay visible, belongs to it.
		next := text[end:min(end+4*decodedPrefix, len(text))]
		if stop := strings.IndexAny(next, ` %&\`); stop >= 0 {
			next = next[:stop]
		}
		rest := text[i+1 : end+len(next)]
		octet := text[i:min(i+3, len(text))] // perhaps %2F
		switch {
		case text[i] == '\\' && (i == 0 || text[i-1] != '\\'):
			decoded = append(decoded, unescapeJSON(rest))
		case text[i] == '&':
			decoded = append(decoded, html.UnescapeString(rest))
		case text[i] == '%' && unescapePath(octet) != octet:
			decoded = append(decoded, unescapePath(rest), unescapeForm(rest))
		}
	}
	return decoded
}

// unescapeJSON decodes the escapes in strings of JSON, JavaScript, Python and Go.
func unescapeJSON(text string) string {
	return unescape(text, `\`, func(escape string) (string, int) {
		surrogate := len(escape) >= 12 && escape[1] == 'u' && escape[2]|0x20 == 'd'
		if surrogate && escape[6:8] == `\u` { // perhaps as in \ud83d\udd11
			var pair string
			_ = json.Unmarshal([]byte(`"`+escape[:12]+`"`), &pair) // on failure, it stays empty
			if utf8.RuneCountInString(pair) == 1 {
				return pair, 12
			}
		}
		if strings.HasPrefix(escape, `\/`) {
			return "/", 2
		}
		quote := escape[min(1, len(escape)-1)] // either may be escaped
		char, isRune, rest, err := strconv.UnquoteChar(escape, quote)
		switch {
		case err != nil:
			return "", 0
		case isRune:
			return string(char), len(escape) - len(rest)
		}
		return string([]byte{byte(char)}), len(escape) - len(rest) //nolint:gosec // one byte
	})
}

// unescapePath decodes percent-encoding (RFC 3986, section 2.1).
func unescapePath(text string) string {
	return unescape(text, "%", func(escape string) (string, int) {
		var octet [1]byte
		_, err := hex.Decode(octet[:], []byte(escape[1:min(3, len(escape))]))
		if err != nil || len(escape) < 3 {
			return "", 0
		}
		return string(octet[:]), 3
	})
}

func unescapeForm(text string) string { return unescapePath(strings.ReplaceAll(text, "+", " ")) }

// unescape decodes the escapes in text, which begin with lead. decode gets the text from such a
// beginning on, and returns the decoded escape and its length, which is 0 if there is none.
func unescape(text, lead string, decode func(string) (string, int)) string {
	var b strings.Builder
	for {
		start := strings.Index(text, lead)
		if start < 0 {
			return b.String() + text
		}
		decoded, size := decode(text[start:])
		if size == 0 {
			decoded, size = lead, len(lead)
		}
		b.Grow(len(text))
		b.WriteString(text[:start])
		b.WriteString(decoded)
		text = text[start+size:]
	}
}

// toStandard converts base64 to the standard alphabet, in one line.
var toStandard = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "")

// decodeBase64 decodes each sequence of base64 characters, from each of the first four: base64 may
// begin within the sequence, as after the slash of "/YWJjZA".
func decodeBase64(text string) string {
	var decoded []byte
	for _, sequence := range strings.FieldsFunc(toStandard.Replace(text), isNotBase64) {
		for start := range min(4, len(sequence)) {
			encoded := sequence[start:]
			if len(encoded)%4 == 1 { // the last character is no byte
				encoded = encoded[:len(encoded)-1]
			}
			// There is no error to expect: all characters are in the alphabet.
			decoded, _ = base64.RawStdEncoding.AppendDecode(decoded, []byte(encoded))
			decoded = append(decoded, separator...)
		}
	}
	return string(decoded)
}

func isNotBase64(r rune) bool {
	return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '+' && r != '/'
}
