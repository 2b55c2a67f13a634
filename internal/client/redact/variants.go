package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// variantsOf returns the strings to mask for a secret: the trimmed secret and each of its trimmed
// lines, verbatim, escaped and in base64; and the untrimmed secret in base64. It ignores everything
// after the first maxRead bytes, since no searched text is longer.
func variantsOf(secret string) []string {
	variants := base64Variants(secret[:min(len(secret), maxRead)])
	for _, part := range slices.Compact(append(strings.Split(secret, "\n"), secret)) {
		part = strings.TrimSpace(part)
		part = part[:min(len(part), maxRead)]
		if len(part) < minSize {
			continue
		}
		variants = append(append(variants, part), base64Variants(part)...)
		for _, syntax := range []syntax{jsonSyntax, htmlSyntax, pathSyntax, querySyntax} {
			variants = append(variants, syntax.escape(part)...)
		}
	}
	slices.Sort(variants)
	return slices.Compact(variants)
}

func base64Variants(text string) []string {
	return []string{
		base64.StdEncoding.EncodeToString([]byte(text)),
		base64.RawStdEncoding.EncodeToString([]byte(text)),
		base64.URLEncoding.EncodeToString([]byte(text)),
		base64.RawURLEncoding.EncodeToString([]byte(text)),
	}
}

// syntax describes how escapers of a syntax work: what all of them escape, and how they differ.
type syntax struct {
	required func(string) string
	options  []func(string) string
}

var (
	jsonSyntax = syntax{escapeJSON, []func(string) string{
		replace("/", `\/`),
		replace("<", `\u003c`, ">", `\u003e`, "&", `\u0026`),
		replace("<", `\u003C`, ">", `\u003E`, "&", `\u0026`), // PHP, with any other options
		escapeNonASCII,
		convertDigits(`\u`, 4, strings.ToUpper),
	}}
	htmlSyntax = syntax{replace("&", "&amp;", "<", "&lt;", ">", "&gt;"), []func(string) string{
		replace(`"`, "&quot;", "'", "&#39;"), replace(`"`, "&quot;", "'", "&#039;"),
		replace(`"`, "&quot;", "'", "&#x27;"), replace(`"`, "&quot;", "'", "&apos;"),
		replace(`"`, "&#34;", "'", "&#39;"), replace(`"`, "&quot;"),
		replace("/", "&#47;"), replace("/", "&#x2F;"), replace("/", "&#x2f;"),
		replace("+", "&#43;"), replace("=", "&#x3D;"), // html/template, Handlebars
	}}
	pathSyntax = syntax{url.PathEscape, []func(string) string{
		replace("%2F", "/", "%2C", ",", "%3B", ";"), // a path of several segments
		convertDigits("%", 2, strings.ToLower),
	}}
	querySyntax = syntax{url.QueryEscape, []func(string) string{
		replace("+", "%20"),
		replace("%2F", "/"), // quote of Python
		replace("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*"), // encodeURIComponent
		convertDigits("%", 2, strings.ToLower),
	}}
)

// escape returns the escaped text for each combination of the options.
func (s syntax) escape(text string) []string {
	escaped := []string{s.required(text)}
	for _, option := range s.options {
		for _, without := range escaped {
			if with := option(without); with != without {
				escaped = append(escaped, with)
			}
		}
	}
	return escaped
}

func replace(oldnew ...string) func(string) string { return strings.NewReplacer(oldnew...).Replace }

// escapeJSON escapes only the characters that a JSON string requires (RFC 8259, section 7).
func escapeJSON(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // strings can always be encoded
	return strings.TrimSuffix(b.String()[1:], "\"\n")
}

func escapeNonASCII(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < utf8.RuneSelf {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// convertDigits returns a function that converts the hexadecimal digits after each prefix.
func convertDigits(prefix string, digits int, convert func(string) string) func(string) string {
	return func(text string) string {
		parts := strings.Split(text, prefix)
		for i, part := range parts[1:] {
			end := min(digits, len(part))
			parts[i+1] = convert(part[:end]) + part[end:]
		}
		return strings.Join(parts, prefix)
	}
}
