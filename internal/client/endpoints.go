package client

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Operation is the purpose of a request, as a verb phrase: "cannot look up studies".
type Operation string

// The operations. See the service contract, "Access tokens", "Submissions" and "Studies".
const (
	ObtainAccessToken  Operation = "obtain an access token"
	SubmitNotification Operation = "submit the notification"
	LookUpStudies      Operation = "look up studies"
)

// endpoint is what all requests of an operation have in common.
type endpoint struct {
	method         string
	url            func(Config) *url.URL
	limit          int64 // maximum size of a 2xx body in bytes
	mayRepeat      bool  // whether it is harmless if the service processes a request twice
	secretResponse bool  // whether a response contains secrets
}

var endpoints = map[Operation]endpoint{
	ObtainAccessToken: {
		method: http.MethodPost, limit: 1 << 20, mayRepeat: true, secretResponse: true,
		url: func(c Config) *url.URL { return c.TokenURL },
	},
	SubmitNotification: {
		method: http.MethodPost, limit: 1 << 20,
		url: func(c Config) *url.URL { return c.NotificationsURL },
	},
	LookUpStudies: {
		method: http.MethodGet, limit: 16 << 20, mayRepeat: true,
		url: func(c Config) *url.URL { return c.StudiesURL },
	},
}

// Operations returns all operations.
func Operations() []Operation { return slices.Sorted(maps.Keys(endpoints)) }

// request returns a request of op, without header and body.
func (c Config) request(op Operation, secrets *redact.Secrets) wire.Request {
	e := endpoints[op]
	return wire.Request{
		Method: e.method, URL: c.URL(op), Limit: e.limit, MayRepeat: e.mayRepeat,
		Secrets: secrets, SecretResponse: e.secretResponse,
	}
}

// URL returns the URL of the endpoint for op.
func (c Config) URL(op Operation) *url.URL { return endpoints[op].url(c) }

// urls returns the URLs of all endpoints.
func (c Config) urls() (all []*url.URL) {
	for _, op := range Operations() {
		all = append(all, c.URL(op))
	}
	return all
}
