package emulator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
)

type response struct {
	status int
	header http.Header
	body   []byte
	reason string // why the request was rejected, for the ledger; empty if it was accepted
}

func newResponse(status int, body []byte) *response {
	return &response{status: status, header: make(http.Header), body: body}
}

// with sets a header field and returns the response.
func (r *response) with(name, value string) *response {
	r.header.Set(name, value)
	return r
}

// noStore forbids caching, which RFC 6749 section 5.1 requires of a token endpoint.
func (r *response) noStore() *response {
	return r.with("Cache-Control", "no-store").with("Pragma", "no-cache")
}

// jsonResponse encodes value without escaping <, > and &, so that the ledger shows bodies as sent.
func jsonResponse(status int, value any) *response {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // cannot fail for these types
	return newResponse(status, bytes.TrimSuffix(body.Bytes(), []byte("\n"))).
		with("Content-Type", "application/json")
}

// problem returns an error response of the API, in the format of RFC 9457.
func problem(status int, detail string) *response {
	r := jsonResponse(status, map[string]any{
		"type": "about:blank", "status": status, "detail": detail,
		"title": cmp.Or(http.StatusText(status), "Status "+strconv.Itoa(status)),
	}).with("Content-Type", "application/problem+json")
	r.reason = detail
	return r
}

// oauthError returns an error response of the token endpoint (RFC 6749 section 5.2).
func oauthError(status int, code, description string) *response {
	r := jsonResponse(status,
		map[string]string{"error": code, "error_description": description}).noStore()
	r.reason = code + ": " + description
	return r
}

// write sends the response, with a Content-Length of the body unless the header has one.
func (r *response) write(w http.ResponseWriter) {
	w.Header().Set("Content-Length", strconv.Itoa(len(r.body)))
	maps.Copy(w.Header(), r.header)
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body) // fails if the client has disconnected
}
