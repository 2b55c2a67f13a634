package emulator

import (
	"cmp"
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// injected is the reason that the ledger gives for what a fault did.
const injected = "an injected fault"

// signInPage is what a gateway answers to somebody who is not signed in.
//
//go:embed sign-in.html
var signInPage []byte

// respond is the answer that the request deserves, as the fault changes it. When it returns,
// everything that is to be recorded of the request, except its outcome, is in the ledger.
func (e *Emulator) respond(x *exchange) answer {
	s := x.fault
	switch s.name {
	case "status":
		if s.code >= 300 {
			return x.statusAnswer(e.now())
		}
	case "oauth":
		return oauthError(s.code, s.argument, injected)
	case "html", "html-as-json":
		a := newAnswer(s.code, "text/html; charset=utf-8", signInPage)
		if s.name == "html-as-json" {
			a = newAnswer(http.StatusOK, "application/json", a.body)
		}
		a.reason = injected
		return a
	case "redirect":
		a := newAnswer(s.code, "", nil)
		a.header.Set("Location", s.argument)
		a.reason = injected
		return a
	case "revoke":
		e.RevokeTokens()
	}

	a := e.handle(x)
	if !a.accepted() {
		return a
	}
	switch s.name {
	case "status":
		a.status = s.code
		s.setRetryAfter(a.header, e.now())
		if !bodyAllowed(a.status) {
			a.clearBody()
		}
	case "empty":
		a.clearBody()
	case "text":
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
		a.status = http.StatusOK
		if x.to != targetToken {
			a.body = []byte("OK")
		}
	case "no-id":
		a.body = []byte(`{"status":"accepted"}`)
	case "bad-id":
		a.body = []byte(`{"notification_id":42}`)
	}
	return a
}

// statusAnswer is an error answer, or a redirect without a Location.
func (x *exchange) statusAnswer(now time.Time) answer {
	s := x.fault
	detail := fmt.Sprintf("%s: status %d", injected, s.code)
	var a answer
	switch {
	case s.code < 400:
		a = newAnswer(s.code, "", nil)
		a.reason = detail
	case x.to == targetToken:
		a = oauthError(s.code, oauthCode(s.code), detail)
	default:
		a = problem(s.code, detail)
		if s.code == http.StatusUnauthorized {
			a.header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		}
	}
	s.setRetryAfter(a.header, now)
	return a
}

// oauthCode is the error code that goes with a status of a token answer.
func oauthCode(status int) string {
	code := map[int]string{
		http.StatusUnauthorized:       "invalid_client",
		http.StatusForbidden:          "unauthorized_client",
		http.StatusTooManyRequests:    "temporarily_unavailable",
		http.StatusServiceUnavailable: "temporarily_unavailable",
	}[status]
	if status >= 500 {
		return cmp.Or(code, "server_error")
	}
	return cmp.Or(code, "invalid_request")
}

// setRetryAfter adds the header, if there is one. A date has whole seconds, so that it is rounded
// up: the client shall wait no less.
func (s step) setRetryAfter(header http.Header, now time.Time) {
	text, date := strings.CutPrefix(s.retryAfter, datePrefix)
	if date {
		seconds, _ := strconv.Atoi(text) // is a number
		at := now.Add(time.Duration(seconds)*time.Second + time.Second - 1).Truncate(time.Second)
		text = at.UTC().Format(http.TimeFormat)
	}
	if text != "" {
		header.Set("Retry-After", text)
	}
}
