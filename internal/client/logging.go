package client

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

type attemptKey struct{}

// withAttempt notes the number of the attempt for the log.
func withAttempt(ctx context.Context, number int) context.Context {
	return context.WithValue(ctx, attemptKey{}, number)
}

// loggingTransport writes a line for each request that goes out: method, path,
// status, duration, attempt. Never a query, a header or a body.
type loggingTransport struct {
	base    http.RoundTripper
	secrets *redactor
}

func (t *loggingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := t.base.RoundTrip(req)
	fields := map[string]any{
		"method":      req.Method,
		"host":        req.URL.Host,
		"path":        req.URL.Path,
		"duration_ms": time.Since(began).Milliseconds(),
		"attempt":     req.Context().Value(attemptKey{}),
	}
	ctx := tflog.MaskLogStrings(req.Context(), t.secrets.all()...)
	if err != nil {
		fields["error"] = t.secrets.clean(err.Error())
		tflog.Warn(ctx, "Request got no answer", fields)
		return nil, err
	}
	fields["status"] = resp.StatusCode
	tflog.Debug(ctx, "Request answered", fields)
	return resp, nil
}
