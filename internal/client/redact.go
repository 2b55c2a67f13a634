package client

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const redacted = "***"

var percent = regexp.MustCompile(`%[0-9A-F]{2}`)

// redactor takes secrets out of text that others wrote: a service may echo what
// it was sent. It is safe for concurrent use.
type redactor struct {
	parent *redactor // knows further secrets; may be nil

	mu      sync.RWMutex
	secrets []string
}

func newRedactor(cfg Config) *redactor {
	r := new(redactor)
	r.add(cfg.ClientSecret)
	for _, value := range cfg.Headers {
		r.addValue(value)
	}
	return r
}

// with returns a redactor that takes out further secrets, for one request.
func (r *redactor) with(secrets ...string) *redactor {
	if len(secrets) == 0 {
		return r
	}
	child := &redactor{parent: r}
	for _, secret := range secrets {
		child.addValue(secret)
	}
	return child
}

// shortestValue keeps values such as "1", which need not be secrets, from making
// every text unreadable.
const shortestValue = 4

// addValue is add for values that users mark as sensitive.
func (r *redactor) addValue(value string) {
	if len(value) >= shortestValue {
		r.add(value)
	}
}

// add makes secret one, in each spelling in which an answer may repeat it.
func (r *redactor) add(secret string) {
	if strings.TrimSpace(secret) == "" {
		return
	}
	spellings := []string{secret}
	for _, escaped := range []string{url.QueryEscape(secret), url.PathEscape(secret)} {
		spellings = append(spellings, escaped, percent.ReplaceAllStringFunc(escaped, strings.ToLower))
	}
	for _, escapeHTML := range []bool{true, false} {
		var quoted strings.Builder
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(escapeHTML)
		if encoder.Encode(secret) == nil {
			inner := strings.TrimSuffix(quoted.String(), "\"\n")[1:]
			spellings = append(spellings, inner, strings.ReplaceAll(inner, "/", `\/`))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, spelling := range spellings {
		if !slices.Contains(r.secrets, spelling) {
			r.secrets = append(r.secrets, spelling)
		}
	}
}

// all returns the secrets known so far.
func (r *redactor) all() []string {
	if r == nil {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Concat(r.parent.all(), r.secrets)
}

// clean returns text with every secret replaced, the longest first: one may be
// part of another.
func (r *redactor) clean(text string) string {
	if text == "" {
		return ""
	}
	secrets := r.all()
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}

// quote makes text fit to be shown: one short line without secrets. It cleans
// before it cuts, lest a part of a secret be left, and again after folding white
// space, which may have hidden one.
func (r *redactor) quote(text string) string {
	return cut(r.clean(oneLine(r.clean(text))))
}

// cleanError keeps err's chain and replaces its text where that holds a secret.
func (r *redactor) cleanError(err error) error {
	text := err.Error()
	if cleaned := r.clean(text); cleaned != text {
		return &cleanedError{text: cleaned, err: err}
	}
	return err
}

type cleanedError struct {
	text string
	err  error
}

func (e *cleanedError) Error() string { return e.text }
func (e *cleanedError) Unwrap() error { return e.err }
