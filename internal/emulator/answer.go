package emulator

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// answer is a response before it goes out: Content-Length and Date are still
// to come.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// accepted says whether the answer is the one to a request that succeeded.
func (a answer) accepted() bool { return a.status < 300 }

func newAnswer(status int, contentType string, body []byte) answer {
	header := make(http.Header)
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return answer{status: status, header: header, body: body}
}

func jsonAnswer(status int, contentType string, value any) answer {
	body, err := json.Marshal(value)
	if err != nil {
		return newAnswer(http.StatusInternalServerError, "text/plain; charset=utf-8", []byte(err.Error()))
	}
	return newAnswer(status, contentType, body)
}

// problem is an error answer of the API, as in RFC 9457.
func problem(status int, detail string) answer {
	return jsonAnswer(status, "application/problem+json", struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", title(status), status, detail})
}

func methodNotAllowed(allowed string) answer {
	a := problem(http.StatusMethodNotAllowed, "the method must be "+allowed)
	a.header.Set("Allow", allowed)
	return a
}

// oauthError is an error answer of the token endpoint, as in RFC 6749 section 5.2.
func oauthError(status int, code, description string) answer {
	a := jsonAnswer(status, "application/json", struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}{code, description})
	noStore(a.header)
	return a
}

// noStore forbids caches to keep what the token endpoint answers, as RFC 6749
// section 5.1 demands.
func noStore(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("Pragma", "no-cache")
}

func title(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Status " + strconv.Itoa(status)
}
