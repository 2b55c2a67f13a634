package redact

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxDepth = 3 // encodings that may be nested

	// separator stands between texts that are searched together, and where a secret was removed.
	// No secret contains it, since it is not valid in UTF-8.
	separator = "\xff"
)

// decoders decode a text as a whole. They ignore what is not encoded: the text may be truncated, or
// contain an encoded part only.
var decoders = []func(string) string{
	unescapeJSON, html.UnescapeString, unescapePath, unescapeForm, decodeBase64,
}

// decodings returns everything that text may encode, up to maxDepth times.
func decodings(text string) string {
	seen := map[string]bool{text: true}
	all := misread(text)
	texts := []string{text}
	for range maxDepth {
		var decoded []string
		for _, encoded := range texts {
			for _, decode := range decoders {
				if result := decode(encoded); !seen[result] {
					seen[result] = true
					decoded = append(decoded, result)
				}
			}
		}
		all, texts = append(all, decoded...), decoded
	}
	return strings.Join(all, separator)
}

// misread decodes what follows each character of text that may begin an escape. If it begins none,
// but stands before an encoded secret, decoding the whole text misreads the start of the secret.
func misread(text string) []string {
	var decoded []string
	following := func(i, escape int) string { // escape is the usual length of one
		return text[i+1 : min(i+1+escape*decodedPrefix, len(text))]
	}
	for i := range len(text) {
		switch text[i] {
		case '\\':
			if i == 0 || text[i-1] != '\\' {
				decoded = append(decoded, unescapeJSON(following(i, len(`\u0041`))))
			}
		case '&':
			decoded = append(decoded, html.UnescapeString(following(i, len("&#x41;"))))
		case '%':
			decoded = append(decoded, unescapePath(following(i, len("%41"))))
			decoded = append(decoded, unescapeForm(following(i, len("%41"))))
		}
	}
	return decoded
}

// unescapeJSON decodes the escapes in strings of JSON, JavaScript, Python and Go.
func unescapeJSON(text string) string {
	return unescape(text, '\\', func(escape string) (string, int) {
		if pair := escape[:min(12, len(escape))]; len(pair) == 12 && pair[6:8] == `\u` {
			if char := utf16.DecodeRune(unit(pair[:6]), unit(pair[6:])); char != utf8.RuneError {
				return string(char), len(pair)
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
		return string([]byte{byte(char)}), len(escape) - len(rest)
	})
}

// unit returns the UTF-16 code unit of an escape such as \ud83d, or 0.
func unit(escape string) rune {
	value, err := strconv.ParseUint(strings.TrimPrefix(escape, `\u`), 16, 16)
	if err != nil {
		return 0
	}
	return rune(value)
}

// unescapePath decodes percent-encoding (RFC 3986, section 2.1).
func unescapePath(text string) string {
	return unescape(text, '%', func(escape string) (string, int) {
		var octet [1]byte
		if len(escape) < 3 {
			return "", 0
		} else if _, err := hex.Decode(octet[:], []byte(escape[1:3])); err != nil {
			return "", 0
		}
		return string(octet[:]), 3
	})
}

func unescapeForm(text string) string { return unescapePath(strings.ReplaceAll(text, "+", " ")) }

// unescape decodes each escape of text. decode decodes the escape at the beginning of a text that
// begins with lead, and returns its length; 0 if there is none.
func unescape(text string, lead byte, decode func(string) (string, int)) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(text, lead)
		if start < 0 {
			b.WriteString(text)
			return b.String()
		}
		decoded, size := decode(text[start:])
		if size == 0 {
			decoded, size = text[start:start+1], 1
		}
		b.WriteString(text[:start])
		b.WriteString(decoded)
		text = text[start+size:]
	}
}

// toStandard converts base64 to the standard alphabet, and joins its lines.
var toStandard = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "")

// decodeBase64 decodes each sequence of text that may contain base64, from each of its first four
// characters, since base64 may begin in the middle: in "/YWJjZA" the slash is a separator.
func decodeBase64(text string) string {
	var decoded []byte
	for _, sequence := range strings.FieldsFunc(toStandard.Replace(text), isNotBase64) {
		for start := range min(4, len(sequence)) {
			encoded := sequence[start:]
			if len(encoded)%4 == 1 {
				encoded = encoded[:len(encoded)-1] // less than a byte
			}
			if base64.RawStdEncoding.DecodedLen(len(encoded)) < minSize {
				break
			}
			// This never fails: there are no other characters and no incomplete bytes.
			decoded, _ = base64.RawStdEncoding.AppendDecode(decoded, []byte(encoded))
			decoded = append(decoded, separator...)
		}
	}
	return string(decoded)
}

func isNotBase64(r rune) bool {
	return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '+' && r != '/'
}
