package emulator

import (
	"cmp"
	_ "embed"
	"fmt"
	"net/http"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/route"
)

// injected is the reason that the ledger gives for what a fault did.
const injected = "an injected fault"

// signInPage is what a gateway answers to somebody who is not signed in.
//
//go:embed sign-in.html
var signInPage []byte

// respond is the answer that the request deserves, as the fault changes it. When it returns,
// everything that is to be recorded of the request, except its outcome, is in the ledger.
func (s *service) respond(x *exchange) answer {
	switch x.fault.Name {
	case "status":
		if x.fault.Code >= 300 {
			return x.statusAnswer()
		}
	case "oauth":
		return oauthError(x.fault.Code, x.fault.Argument, injected)
	case "html":
		return newAnswer(x.fault.Code, "text/html; charset=utf-8", signInPage).rejecting(injected)
	case "html-as-json":
		return newAnswer(http.StatusOK, "application/json", signInPage).rejecting(injected)
	case "redirect":
		return newAnswer(x.fault.Code, "", nil).rejecting(injected).with("Location", x.fault.Argument)
	case "revoke":
		s.RevokeTokens()
	}

	a := s.handle(x)
	if !a.accepted() {
		return a
	}
	switch x.fault.Name {
	case "status":
		a.status = x.fault.Code
		x.fault.SetRetryAfter(a.header, time.Now())
		if !fault.AllowsBody(a.status) {
			a.clearBody()
		}
	case "empty":
		a.clearBody()
	case "text":
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
		a.status = http.StatusOK
		if x.target != route.Token {
			a.body = []byte("OK")
		}
	case "no-id":
		a.body = []byte(`{"status":"accepted"}`)
	case "bad-id":
		a.body = []byte(`{"notification_id":42}`)
	}
	return a
}

// handle returns the answer that the request deserves.
func (s *service) handle(x *exchange) answer {
	method, endpoint := http.MethodPost, s.grant
	switch x.target {
	case route.Token:
	case route.Submission:
		endpoint = s.submit
	case route.Studies:
		method, endpoint = http.MethodGet, s.lookUp
	default:
		return problem(http.StatusNotFound, "there is nothing at "+x.record.Path)
	}
	if x.r.Method != method {
		return problem(http.StatusMethodNotAllowed, "the method must be "+method).with("Allow", method)
	}
	if _, err := ledger.ParseTrace(x.r.Header); err != nil {
		return x.refuse(http.StatusBadRequest, err.Error())
	}
	return endpoint(x)
}

// statusAnswer is an error answer, or a redirect without a Location.
func (x *exchange) statusAnswer() answer {
	status := x.fault.Code
	detail := fmt.Sprintf("%s: status %d", injected, status)
	var a answer
	switch {
	case status < 400:
		a = newAnswer(status, "", nil).rejecting(detail)
	case x.target == route.Token:
		a = oauthError(status, oauthCode(status), detail)
	default:
		a = problem(status, detail)
		if status == http.StatusUnauthorized {
			a.header.Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		}
	}
	x.fault.SetRetryAfter(a.header, time.Now())
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
