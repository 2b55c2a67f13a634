package client

import (
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// loggingTransport writes a line for each request that goes out: method, path,
// status, duration, attempt. Never a query, a header or a body.
type loggingTransport struct {
	base http.RoundTripper
}

func (t *loggingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := t.base.RoundTrip(req)
	x := exchangeOf(req.Context())
	if x == nil {
		return resp, err
	}
	fields := map[string]any{
		"method":      req.Method,
		"host":        req.URL.Host,
		"path":        req.URL.Path,
		"duration_ms": time.Since(began).Milliseconds(),
		"attempt":     x.attempts,
	}
	ctx := tflog.MaskLogStrings(req.Context(), x.secrets.all()...)
	if err != nil {
		fields["error"] = x.secrets.clean(err.Error())
		tflog.Warn(ctx, "Request got no answer", fields)
		return nil, err
	}
	fields["status"] = resp.StatusCode
	tflog.Debug(ctx, "Request answered", fields)
	return resp, nil
}
