package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator/fault"
	"github.com/notification/terraform-provider-notification/internal/emulator/ledger"
)

const (
	maxBody  = 1 << 20                             // the largest body that the emulator reads, in bytes
	maxKept  = 1 << 16                             // of a body that was not accepted, in the ledger
	formType = "application/x-www-form-urlencoded" // the media type of a token request
)

// call is one request to the service, its fault, and the parts of the body read so far.
type call struct {
	w        http.ResponseWriter
	r        *http.Request
	endpoint endpoint
	system   string // of the path; empty: none
	fault    fault.Fault
	store    *ledger.Store   // the emulator's on arrival, which a reset may have replaced since
	record   *ledger.Request // in store; guarded by the emulator's lock

	mediaType  string     // of the body; empty if the header is missing or malformed
	body       []byte     // all of it, unless it was unreadable
	unreadable *response  // to a request whose body could not be read; nil: it could
	form       url.Values // of a token request; nil if the body is not a form
}

// recordArrival adds the request to the ledger and takes the next fault of its endpoint.
func (e *Emulator) recordArrival(c *call) {
	to := c.endpoint
	keepsQuery := to.name != tokenEndpoint && to.name != other.name
	c.record = ledger.NewRequest(c.r, to.name, keepsQuery, time.Now())
	if to.name == submissionEndpoint {
		c.record.IdempotencyKey = c.r.Header.Get(e.config.IdempotencyKeyHeader)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	c.fault = e.faults.Next(to.name)
	if c.fault.Text != "pass" {
		c.record.Fault = c.fault.Text
	}
	c.store = e.store
	c.store.Add(c.record, to.counter)
}

// readBody reads the body, and adds a token request's parameters to the ledger.
func (e *Emulator) readBody(c *call) {
	if mediaType, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err == nil {
		c.mediaType = mediaType
	}
	var err error
	c.body, err = io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		c.unreadable = c.reject(http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
	} else if err != nil {
		c.unreadable = c.reject(http.StatusBadRequest, "the body could not be read")
	}
	if c.endpoint.name != tokenEndpoint || c.mediaType != formType || err != nil {
		return
	}
	if form, err := url.ParseQuery(string(c.body)); err == nil {
		c.form = form
		e.update(func() {
			c.record.Form = &ledger.Form{
				Parameters: slices.Sorted(maps.Keys(form)), ClientID: form.Get("client_id"),
				GrantType: form.Get("grant_type"), Scope: form.Get("scope"),
			}
		})
	}
}

// reject returns an error response in the format of the endpoint.
func (c *call) reject(status int, why string) *response {
	if c.endpoint.name != tokenEndpoint {
		return problem(status, why)
	}
	code := map[int]string{
		http.StatusUnauthorized:    "invalid_client",
		http.StatusForbidden:       "unauthorized_client",
		http.StatusTooManyRequests: "temporarily_unavailable",
	}[status]
	if status >= http.StatusInternalServerError {
		code = "server_error"
	}
	return oauthError(status, cmp.Or(code, "invalid_request"), why)
}

// recordOutcome records and logs the status of the response that is about to be sent, or 0 if there
// is none. The reason is empty for an accepted request.
func (e *Emulator) recordOutcome(c *call, status int, reason string) {
	body := "" // not kept for a form sent to the wrong path, which may hold another secret
	isForm := strings.HasPrefix(
		strings.ToLower(strings.TrimSpace(c.r.Header.Get("Content-Type"))), formType)
	if c.endpoint.name == submissionEndpoint && c.record.Submission == nil && !isForm {
		body = strings.ToValidUTF8(string(c.body[:min(len(c.body), maxKept)]), "\uFFFD")
		if len(c.body) > maxKept {
			body += fmt.Sprintf(" (cut after %d bytes)", maxKept)
		}
	}
	var request Request
	e.update(func() {
		c.store.Conclude(c.record, status, reason, body)
		request = *c.record
	})
	if e.config.Log != nil {
		e.config.Log(request)
	}
}
