package emulator

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/route"
)

const (
	// maxBody is the largest body that the emulator reads, in bytes.
	maxBody = 1 << 20
	// formType is the media type of a token request.
	formType = "application/x-www-form-urlencoded"
)

// exchange is one request to the service, its fault, and the parts of the body read so far.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	target route.Target
	system string
	fault  fault.Step
	store  *ledger.Store  // the Store that holds record
	record *ledger.Record // guarded by the emulator's lock

	mediaType string // of the body; empty if the header is missing or malformed
	body      []byte // all of it, when bodyErr is nil
	bodyErr   error
	form      url.Values // of a token request; nil if the body is not a form
}

// recordArrival adds the request to the ledger and takes the next fault of its target.
func (e *Emulator) recordArrival(x *exchange) {
	x.record = &ledger.Record{
		Request: ledger.NewRequest(x.r, x.target, time.Now(), e.redact),
		System:  x.system,
	}
	if x.target == route.Submission {
		x.record.IdempotencyKey = x.r.Header.Get(e.config.IdempotencyKeyHeader)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	x.fault = e.faults.Next(x.target)
	if x.fault.Text != "pass" {
		x.record.Fault = x.fault.Text
	}
	x.store = e.store
	x.store.Add(x.record, x.r)
}

// readBody reads the body, and adds a token request's parameters to the ledger.
func (e *Emulator) readBody(x *exchange) {
	if mediaType, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type")); err == nil {
		x.mediaType = mediaType
	}
	x.body, x.bodyErr = io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, maxBody))
	if x.target != route.Token || x.mediaType != formType || x.bodyErr != nil {
		return
	}
	if form, err := url.ParseQuery(string(x.body)); err == nil {
		x.form = form
		e.mu.Lock()
		defer e.mu.Unlock()
		x.record.Form = ledger.NewForm(form, e.redact)
	}
}

// bodyProblem returns the response to a request whose body could not be read.
func (x *exchange) bodyProblem() response {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](x.bodyErr); tooLarge {
		return x.reject(http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
	}
	return x.reject(http.StatusBadRequest, "the body could not be read")
}

// reject returns an error response in the format of the endpoint.
func (x *exchange) reject(status int, why string) response {
	switch {
	case x.target != route.Token:
		return problem(status, why)
	case status == http.StatusUnauthorized:
		return oauthError(status, "invalid_client", why)
	case status == http.StatusForbidden:
		return oauthError(status, "unauthorized_client", why)
	case status == http.StatusTooManyRequests:
		return oauthError(status, "temporarily_unavailable", why)
	case status >= http.StatusInternalServerError:
		return oauthError(status, "server_error", why)
	}
	return oauthError(status, "invalid_request", why)
}

// recordOutcome records and logs the status of the response that is about to be sent, or 0 if there
// is none. The reason is empty for an accepted request.
func (e *Emulator) recordOutcome(x *exchange, status int, reason string) {
	body := "" // not kept for a form sent to the wrong path, which may hold another secret
	if x.target == route.Submission && x.record.Submission == nil && x.mediaType != formType {
		body = e.redact(strings.ToValidUTF8(string(x.body), "\uFFFD"))
	}
	var request Request
	e.update(func() {
		x.store.Complete(x.record, status, reason, body)
		request = x.record.Request
	})
	if e.config.Log != nil {
		e.config.Log(request)
	}
}

// tokenPrefix begins every access token, so that redact can recognise them.
const tokenPrefix = "emu_"

// tokenPattern matches the access tokens that emulators issue.
var tokenPattern = regexp.MustCompile(tokenPrefix + "[A-Z2-7]{26}")

// redact returns text for the ledger, without access tokens and the emulator's client secret. A
// secret of fewer than 8 characters stays, since redacting "test", say, would redact other words.
func (e *Emulator) redact(text string) string {
	const hidden = "(hidden)"
	if secret := e.config.ClientSecret; len(secret) >= 8 {
		text = strings.NewReplacer(secret, hidden, url.QueryEscape(secret), hidden,
			url.PathEscape(secret), hidden).Replace(text)
	}
	return tokenPattern.ReplaceAllString(text, hidden)
}
