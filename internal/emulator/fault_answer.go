package emulator

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// signInPage is what a gateway answers to somebody who is not signed in.
const signInPage = `<!DOCTYPE html>
<html lang="en">
<head><title>Sign in</title></head>
<body><h1>Sign in</h1><form method="post" action="/login"><input name="user"><input name="password" type="password"><button>Sign in</button></form></body>
</html>
`

// refusal returns the answer of a fault that lets nothing through to the
// service, or false when the fault is not of that kind.
func (s step) refusal(to target, now time.Time) (answer, bool) {
	switch {
	case s.name == faultStatus && s.code >= 300:
		a := s.statusAnswer(to)
		s.retry.set(a.header, now)
		return a, true
	case s.name == faultOAuth:
		return oauthError(s.code, s.text, "an injected fault"), true
	case s.name == faultHTML:
		return newAnswer(s.code, "text/html; charset=utf-8", []byte(signInPage)), true
	case s.name == faultHTMLAsJSON:
		return newAnswer(http.StatusOK, "application/json", []byte(signInPage)), true
	case s.name == faultRedirect:
		a := newAnswer(s.code, "", nil)
		a.header.Set("Location", s.text)
		return a, true
	}
	return answer{}, false
}

func (s step) statusAnswer(to target) answer {
	detail := fmt.Sprintf("an injected fault: status %d", s.code)
	switch {
	case s.code < 400:
		return newAnswer(s.code, "", nil)
	case to == toToken:
		return oauthError(s.code, oauthCode(s.code), detail)
	}
	a := problem(s.code, detail)
	if s.code == http.StatusUnauthorized {
		a.header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	}
	return a
}

// oauthCode is the error code that goes with a status of a token answer.
func oauthCode(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "invalid_client"
	case status == http.StatusForbidden:
		return "unauthorized_client"
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return "temporarily_unavailable"
	case status >= 500:
		return "server_error"
	}
	return "invalid_request"
}

// alter returns what the fault makes of an answer to an accepted request. Other
// answers stay as they are.
func (s step) alter(to target, a answer, now time.Time) answer {
	if !a.accepted() {
		return a
	}
	switch s.name {
	case faultStatus:
		a.status = s.code
		s.retry.set(a.header, now)
		if !bodyAllowed(a.status) {
			a.header.Del("Content-Type")
			a.body = nil
		}
	case faultEmpty:
		a.header.Del("Content-Type")
		a.body = nil
	case faultText:
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
		a.status = http.StatusOK
		if to != toToken {
			a.body = []byte("OK")
		}
	case faultNoID:
		a.body = []byte(`{"status":"accepted"}`)
	case faultBadID:
		a.body = []byte(`{"notification_id":42}`)
	}
	return a
}

// set adds the header, if there is one. A date has whole seconds, so that it is
// rounded up: the client shall wait no less.
func (r retryAfter) set(header http.Header, now time.Time) {
	switch {
	case r.date:
		at := now.Add(time.Duration(r.seconds) * time.Second)
		if whole := at.Truncate(time.Second); whole.Before(at) {
			at = whole.Add(time.Second)
		}
		header.Set("Retry-After", strings.TrimSpace(at.UTC().Format(http.TimeFormat)))
	case r.given:
		header.Set("Retry-After", strconv.Itoa(r.seconds))
	}
}

// bodyAllowed says whether an answer with the status may have a body (RFC 9110
// section 6.4.1).
func bodyAllowed(status int) bool {
	switch status {
	case http.StatusNoContent, http.StatusResetContent, http.StatusNotModified:
		return false
	}
	return true
}
