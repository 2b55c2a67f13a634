package redact

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestClean(t *testing.T) {
	t.Parallel()
	s := new(Secrets)
	s.Add(`p@ss w"rd/<&'`)
	s.AddHeader("ApiKey p@ss")
	s.AddHeader("")
	s.AddHeader("Basic abc")
	s.AddHeader("Key d")
	s.Add("tok+en/=")
	s.Add(" ")
	s.Add("one")
	s.Add("four")
	for text, want := range map[string]string{
		`secret p@ss w"rd/<&', key p@ss, header ApiKey p@ss`: "secret ***, key ***, header ***",
		"Basic abc":                       "***",
		"abc":                             "abc", // too short to be a secret by itself
		"Bearer tok+en/=, again tok+en/=": "Bearer ***, again ***",
		"one, four, a b, d, Key":          "one, ***, a b, d, Key",
		"":                                "",
	} {
		if got := s.Clean(text).String(); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// A set made by With has the secrets that are added to its parent later, but not vice versa.
func TestWith(t *testing.T) {
	t.Parallel()
	s := new(Secrets)
	child := s.With("request", "n", "request")
	if got := child.Quote("token, another"); got.String() != "token, another" {
		t.Errorf("%q", got)
	}
	s.Add("token")
	s.Add("a longer one")
	if got := child.All(); !slices.Equal(got, []string{"a longer one", "request", "token"}) {
		t.Errorf("%q", got)
	}
	if got := s.All(); !slices.Equal(got, []string{"a longer one", "token"}) {
		t.Errorf("%q", got)
	}
	if got := child.Quote("token, another"); got.String() != "***, another" {
		t.Errorf("%q", got)
	}
}

// A cleaned error wraps the original error, and its text is sanitized.
func TestCleanError(t *testing.T) {
	t.Parallel()
	s := new(Secrets).With("canary")
	if got := s.CleanError(nil); got != nil {
		t.Errorf("nil became %v", got)
	}
	joined := errors.Join(errors.New("a canary\x1b[31m"), io.EOF)
	if got := s.CleanError(joined); got.Error() != "a ***[31m EOF" || !errors.Is(got, io.EOF) {
		t.Errorf("%q", got)
	}
	long := s.CleanError(fmt.Errorf("%s: %w", strings.Repeat("x", 900_000), io.EOF))
	if got := long.Error(); len(got) != maxClean+len("…") || !errors.Is(long, io.EOF) {
		t.Errorf("%d bytes", len(got))
	}
}

// A quotation is one short line of printable characters.
func TestQuoteIsOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"upstream connect error\r\n\treset": "upstream connect error reset",
		"Bad\u00a0Gateway":                  "Bad Gateway",
		"a\x1b[31mb\x00c":                   "a[31mbc",
		"caf\xe9":                           "caf\ufffd",
		"  ":                                "",
		strings.Repeat("ä", maxQuote):       strings.Repeat("ä", maxQuote),
		strings.Repeat("ä", maxQuote+1):     strings.Repeat("ä", maxQuote) + "…",
	} {
		if got := new(Secrets).Quote(text).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Sanitizing takes milliseconds. The limit allows for a busy machine and the race detector.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 100 {
		values = append(values, strings.Repeat("a", 4+i), fmt.Sprint(i, strings.Repeat(`é"'<&>/`, i)))
	}
	secrets := new(Secrets).With(append(values, strings.Join(values, "\n"))...)
	for _, piece := range []string{
		`\`, `\u003c`, "&amp;", "a", "YUE", " ", "\u202e", `é"'<&>/`, "eyJ0123456789abc. ",
	} {
		began := time.Now()
		got := secrets.Clean(strings.Repeat(piece, 2*maxRead)).String()
		if took := time.Since(began); took > 5*time.Second || len(got) > 3*maxClean+len("…") {
			t.Errorf("%q: %d bytes after %s", piece, len(got), took)
		}
	}
}
