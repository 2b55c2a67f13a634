package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/hashicorp/go-retryablehttp"
)

// sender sends requests with the repetitions that their operations allow. Both
// chains, of the API and of the token endpoint, start with one.
type sender struct {
	http       *http.Client
	maxRetries int
	secrets    *redactor
}

// answer is a response whose body was read, up to the bound of its operation.
type answer struct {
	url    *url.URL // after redirects
	status int
	header http.Header
	body   []byte

	// broken is why the body is not whole; nil when it is.
	broken error
}

// send returns the service's answer when it has status 2xx and is no HTML page.
// Everything else is an *Error.
func (s sender) send(ctx context.Context, op Operation, method string, target *url.URL, header http.Header, body []byte) (*answer, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, DefaultTimeout)
		defer cancel()
	}

	var payload any // a nil []byte in it would be an empty body to retryablehttp
	if body != nil {
		payload = body
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, method, target.String(), payload)
	if err != nil {
		return nil, &Error{Operation: op, Method: method, URL: bareURL(target), Err: err}
	}
	req.Header = header

	// A retryablehttp.Client is a set of functions. Each exchange has its own, so
	// that they can share what this exchange knows.
	x := &exchange{op: op, maxRetries: s.maxRetries, secrets: s.secrets}
	repeater := retryablehttp.Client{
		HTTPClient:   s.http,
		RetryMax:     s.maxRetries,
		CheckRetry:   x.check,
		Backoff:      x.backoff,
		PrepareRetry: x.prepare,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	x.begin()
	_, err = repeater.Do(req.WithContext(context.WithValue(ctx, exchangeKey{}, x))) //nolint:bodyclose // x.check has read and closed every body
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = ended(ctx) // during a wait
	}
	if err != nil || x.verdict != done {
		return nil, s.failure(x, req.Request, err)
	}
	return x.answer, nil
}

// read takes the answer out of resp and closes it.
func read(resp *http.Response, limit int64) *answer {
	ans := &answer{url: resp.Request.URL, status: resp.StatusCode, header: resp.Header}
	ans.body, ans.broken = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if int64(len(ans.body)) > limit {
		ans.body, ans.broken = ans.body[:limit], errTooLarge
	}
	_ = resp.Body.Close() // what was read is all that counts
	return ans
}

var errTooLarge = errors.New("the answer is larger than this provider reads")
