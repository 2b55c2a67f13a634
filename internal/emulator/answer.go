package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
)

// answer is a response before it goes out: Content-Length and Date are still to come.
type answer struct {
	status int
	header http.Header
	body   []byte
	reason string // why the request is rejected, for the ledger; empty: it is accepted
}

// accepted says whether the answer is the one to a request that succeeded.
func (a answer) accepted() bool { return a.reason == "" }

func newAnswer(status int, contentType string, body []byte) answer {
	header := make(http.Header)
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return answer{status: status, header: header, body: body}
}

// jsonAnswer leaves <, > and & as they are, so that bodies in the ledger look as they were sent.
func jsonAnswer(status int, contentType string, value any) answer {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // of the values here never fails
	return newAnswer(status, contentType, bytes.TrimSuffix(body.Bytes(), []byte("\n")))
}

// problem is an error answer of the API, as in RFC 9457.
func problem(status int, detail string) answer {
	a := jsonAnswer(status, "application/problem+json", struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", cmp.Or(http.StatusText(status), "Status "+strconv.Itoa(status)), status, detail})
	a.reason = detail
	return a
}

// oauthError is an error answer of the token endpoint, as in RFC 6749 section 5.2.
func oauthError(status int, code, description string) answer {
	a := jsonAnswer(status, "application/json", struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{code, description})
	a.reason = code + ": " + description
	noStore(a.header)
	return a
}

// noStore forbids caches to keep what the token endpoint answers, as RFC 6749 section 5.1 demands.
func noStore(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("Pragma", "no-cache")
}

func (a *answer) clearBody() {
	a.header.Del("Content-Type")
	a.body = nil
}

// writeHeader sends the status and the header, with the Content-Length of the whole body.
func (a answer) writeHeader(w http.ResponseWriter) {
	header := w.Header()
	maps.Copy(header, a.header)
	if bodyAllowed(a.status) {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
}

func (a answer) write(w http.ResponseWriter) {
	a.writeHeader(w)
	_, _ = w.Write(a.body) // fails when the client has gone
}

// bodyAllowed says whether an answer with the status may have a body (RFC 9110 section 6.4.1).
func bodyAllowed(status int) bool {
	return status != http.StatusNoContent && status != http.StatusResetContent &&
		status != http.StatusNotModified
}
