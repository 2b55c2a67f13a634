package client

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"terraform-provider-notification/internal/client/wire"
)

// Studies looks studies up by name and returns the body of the answer, which the service's page
// does not describe. It may be empty. The id is that of the request. An error is an *Error.
func (c *Client) Studies(ctx context.Context, name string) (body []byte, id wire.ID, err error) {
	target := *c.studiesURL
	if target.RawQuery != "" {
		target.RawQuery += "&"
	}
	// %20 is a space to every server, + only to those that read the query as a form.
	target.RawQuery += "name=" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")

	request := wire.Request{
		Method: http.MethodGet, URL: &target, Limit: 16 << 20, Secrets: c.secrets.With(),
	}
	attempt, err := c.do(ctx, LookUpStudies, request)
	if err != nil {
		return nil, wire.ID{}, err
	}
	return attempt.Body, attempt.ID, nil
}
