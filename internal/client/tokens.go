package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// scopedTokens holds a cache for each set of scopes other than the Config's.
type scopedTokens struct{ caches sync.Map }

func (s *scopedTokens) cache(scopes []string, endpoint *token.Endpoint) *token.Cache {
	empty := token.NewCache(endpoint, slices.Clone(scopes))
	cache, _ := s.caches.LoadOrStore(strings.Join(scopes, " "), empty)
	return cache.(*token.Cache) //nolint:forcetypeassert // nothing else is stored
}

// tokenError is the *Error about a token that was not obtained: of the request for it, of its
// answer, or of ctx, which ended the wait for it.
func tokenError(ctx context.Context, address string, err error) *Error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	failed = &Error{
		Operation: FetchToken, Method: http.MethodPost, URL: address,
		Time: time.Now(), Attempts: 1,
	}
	var answered *token.Error
	if errors.As(err, &answered) {
		failed.Status, failed.ID = http.StatusOK, answered.ID
		failed.Code, failed.Message, failed.Err = answered.Code, answered.Message, answered.Err
	} else {
		failed.Err = wire.ContextError(ctx)
	}
	return failed
}
