package redact

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ID is an id that Terraform may store and print. Only CheckID can construct one that is not empty,
// so that no member of a response gets into the state unchecked.
type ID struct{ text string }

func (id ID) String() string { return id.text }

// Empty reports whether there is no id.
func (id ID) Empty() bool { return id.text == "" }

// CheckID returns an error, such as "is empty", unless text has 1 to 256 bytes of UTF-8 without
// white space, control characters, U+FFFD, which stands for text that was not UTF-8, and commands
// for the runner of a pipeline, since Terraform prints ids. It may be neither a UUID of zeros (RFC
// 9562, section 5.9) nor "null", nor repeat a secret of s.
func (s *Secrets) CheckID(text string) (ID, error) {
	const limit = 256 // bytes, far more than a UUID has
	around := strings.NewReplacer("urn:uuid:", "", "{", "", "}", "", "-", "")
	bare := around.Replace(strings.ToLower(text))
	switch {
	case text == "":
		return ID{}, errors.New("is empty")
	case bare == strings.Repeat("0", 32), bare == "null":
		return ID{}, fmt.Errorf("is %s, which stands for none", text)
	case len(text) > limit:
		return ID{}, fmt.Errorf("has %d bytes, more than %d", len(text), limit)
	case !utf8.ValidString(text), strings.ContainsRune(text, utf8.RuneError):
		return ID{}, errors.New("is not valid UTF-8")
	case logCommands.MatchString(text):
		return ID{}, errors.New("contains a command for the runner of a pipeline, such as ##[")
	case s.in(text):
		return ID{}, errors.New("repeats a secret")
	}
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ID{}, fmt.Errorf("contains white space or a control character (%U)", r)
		}
	}
	return ID{text}, nil
}

// in reports whether id contains a credential, or another secret of at least 16 bytes. Shorter ones
// are in ids by chance, or on purpose, as a prefix.
func (s *Secrets) in(id string) bool {
	for ; s != nil; s = s.parent {
		s.mu.Lock()
		found := containsAny(id, s.credentials, minSize) || containsAny(id, s.secrets, 16)
		s.mu.Unlock()
		if found {
			return true
		}
	}
	return false
}

// containsAny reports whether id contains one of secrets that has at least that many bytes.
func containsAny(id string, secrets []string, least int) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool {
		text := strings.TrimSpace(secret)
		return len(text) >= least && strings.Contains(id, text)
	})
}
