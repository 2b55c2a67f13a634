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
	// maxBody bounds the bodies that are read, in bytes.
	maxBody = 1 << 20
	// formType is the media type of a token request.
	formType = "application/x-www-form-urlencoded"
)

// exchange is one request to the service, the fault it met and what has been read of it.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	target route.Target
	system string
	fault  fault.Step
	book   *ledger.Book   // which holds the record
	record *ledger.Record // guarded by the lock of the emulator

	mediaType string // of the body; empty where the header does not say, or is malformed
	body      []byte // all of it, when bodyErr is nil
	bodyErr   error
	form      url.Values // of a token request; nil: the body is not a form
}

// arrive enters the request in the ledger and takes the fault that is its turn.
func (e *Emulator) arrive(x *exchange) {
	x.record = &ledger.Record{
		Request: ledger.NewRequest(x.r, x.target, time.Now(), e.hide),
		System:  x.system,
	}
	if x.target == route.Submission {
		x.record.IdempotencyKey = x.r.Header.Get(e.config.IdempotencyKeyHeader)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	x.fault = e.faults.Take(x.target)
	if x.fault.Text != "pass" {
		x.record.Fault = x.fault.Text
	}
	x.book = e.book
	x.book.Enter(x.record, x.r)
}

// read takes in the body. A token request's parameters enter the ledger here, whatever becomes of
// the request.
func (e *Emulator) read(x *exchange) {
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
		x.record.Form = ledger.NewForm(form, e.hide)
	}
}

// bodyProblem is the response to a request whose body could not be read.
func (x *exchange) bodyProblem() response {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](x.bodyErr); tooLarge {
		return x.refuse(http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
	}
	return x.refuse(http.StatusBadRequest, "the body could not be read")
}

// refuse is an error response in the form of the endpoint.
func (x *exchange) refuse(status int, why string) response {
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

// conclude enters what became of the request in the ledger: just before the response is sent, or
// with status 0 where none is. The reason is empty for a request that was accepted.
func (e *Emulator) conclude(x *exchange, status int, reason string) {
	body := "" // a form that was sent to the wrong path may hold another secret
	if x.target == route.Submission && x.record.Submission == nil && x.mediaType != formType {
		body = e.hide(strings.ToValidUTF8(string(x.body), "\uFFFD"))
	}
	var request Request
	e.change(func() {
		x.book.Conclude(x.record, status, reason, body)
		request = x.record.Request
	})
	if e.config.Log != nil {
		e.config.Log(request)
	}
}

// tokenPrefix begins every access token, so that the ledger can recognise them.
const tokenPrefix = "emu_"

// issued is what the tokens of this emulator look like.
var issued = regexp.MustCompile(tokenPrefix + "[A-Z2-7]{26}")

// hide returns text without the tokens and the client secret of this emulator, for the ledger.
// Hiding a shorter secret, such as "test", would hide other words.
func (e *Emulator) hide(text string) string {
	const hidden = "(hidden)"
	if secret := e.config.ClientSecret; len(secret) >= 8 {
		text = strings.NewReplacer(secret, hidden, url.QueryEscape(secret), hidden,
			url.PathEscape(secret), hidden).Replace(text)
	}
	return issued.ReplaceAllString(text, hidden)
}
