package client

import (
	"context"
	"net/url"
	"strings"

	"github.com/notification/terraform-provider-notification/internal/client/response"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// LookUpStudies looks up studies by name. It returns the body of the response, at most 16 MiB and
// perhaps empty, and the id of the request. It follows redirects within the origin that keep the
// query. A response of nothing but errors is an error, too. Without a deadline, ctx is limited to
// DefaultTimeout. An error is an *Error. See the service contract, "Studies".
func (c *Client) LookUpStudies(
	ctx context.Context, name string,
) (body []byte, id wire.ID, err error) {
	target := *c.config.StudiesURL
	if target.RawQuery != "" {
		target.RawQuery += "&"
	}
	// Every server decodes %20 as a space, but only some decode + as one.
	target.RawQuery += "name=" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")

	request := c.config.request(LookUpStudies, c.secrets)
	request.URL = &target
	attempt, _, err := c.do(ctx, LookUpStudies, request)
	if err != nil {
		return nil, wire.ID{}, err
	}
	if words, alone := response.ErrorMembers(attempt.Body); alone {
		failed := &failure{last: attempt, message: words}
		return nil, wire.ID{}, newError(LookUpStudies, request, failed)
	}
	return attempt.Body, attempt.ID, nil
}
