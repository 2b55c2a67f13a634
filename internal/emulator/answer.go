package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"

	"terraform-provider-notification/internal/emulator/fault"
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

// rejecting returns the answer as one to a request that is rejected.
func (a answer) rejecting(reason string) answer {
	a.reason = reason
	return a
}

// with adds a header field to the answer, and returns it.
func (a answer) with(name, value string) answer {
	a.header.Set(name, value)
	return a
}

// noStore forbids caches to keep what the token endpoint answers, as RFC 6749 section 5.1 demands.
func (a answer) noStore() answer {
	return a.with("Cache-Control", "no-store").with("Pragma", "no-cache")
}

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
	title := cmp.Or(http.StatusText(status), "Status "+strconv.Itoa(status))
	return jsonAnswer(status, "application/problem+json", struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", title, status, detail}).rejecting(detail)
}

// oauthError is an error answer of the token endpoint, as in RFC 6749 section 5.2.
func oauthError(status int, code, description string) answer {
	return jsonAnswer(status, "application/json", struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{code, description}).rejecting(code + ": " + description).noStore()
}

func (a *answer) clearBody() {
	a.header.Del("Content-Type")
	a.body = nil
}

// writeHeader sends the status and the header, with the Content-Length of the whole body.
func (a answer) writeHeader(w http.ResponseWriter) {
	header := w.Header()
	maps.Copy(header, a.header)
	if fault.AllowsBody(a.status) {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
}

func (a answer) write(w http.ResponseWriter) {
	a.writeHeader(w)
	_, _ = w.Write(a.body) // fails when the client has gone
}
