package client

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

const redacted = "***"

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
		r.add(value)
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
		child.add(secret)
	}
	return child
}

// add makes secret one, in each spelling in which an answer may repeat it.
func (r *redactor) add(secret string) {
	if strings.TrimSpace(secret) == "" {
		return
	}
	spellings := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
	if quoted, err := json.Marshal(secret); err == nil {
		spellings = append(spellings, strings.Trim(string(quoted), `"`))
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
