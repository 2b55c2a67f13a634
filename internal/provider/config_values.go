package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/net/http/httpguts"
)

const (
	defaultRequestTimeout = 30 * time.Second
	defaultMaxRetries     = 4
	maxMaxRetries         = 10
)

// boolean reads true or false.
func (s *settings) boolean(attribute string, value types.Bool, fallback bool) bool {
	if value.IsUnknown() {
		s.notKnown(attribute)
		return fallback
	}
	if !value.IsNull() {
		return value.ValueBool()
	}
	text := s.getenv(variable(attribute))
	if text == "" {
		return fallback
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		s.invalid(attribute, "must be true or false")
	}
	return b
}

// number reads an integer from 0 to limit.
func (s *settings) number(attribute string, value types.Int64, fallback, limit int) int {
	if value.IsUnknown() {
		s.notKnown(attribute)
		return fallback
	}
	n := value.ValueInt64()
	if value.IsNull() {
		text := s.getenv(variable(attribute))
		if text == "" {
			return fallback
		}
		var err error
		if n, err = strconv.ParseInt(text, 10, 64); err != nil {
			n = -1
		}
	}
	if n < 0 || n > int64(limit) {
		s.invalid(attribute, "must be a whole number from 0 to %d", limit)
		return fallback
	}
	return int(n)
}

// duration reads a positive Go duration.
func (s *settings) duration(
	attribute string, value types.String, fallback time.Duration,
) time.Duration {
	text, ok := s.text(attribute, value)
	if !ok {
		return fallback
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		s.invalid(attribute, "must be a duration above zero, such as 30s or 1m30s")
		return fallback
	}
	return d
}

// scopes reads scope tokens (RFC 6749, section 3.3), which the variable separates by spaces.
func (s *settings) scopes(ctx context.Context, attribute string, value types.Set) []string {
	if value.IsNull() {
		scopes := slices.Compact(slices.Sorted(strings.FieldsSeq(s.getenv(variable(attribute)))))
		if !allValid(scopes) {
			s.invalid(
				attribute,
				"must hold scopes only: printable ASCII characters without quotes and "+
					"backslashes, separated by spaces",
			)
		}
		return scopes
	}
	if !allKnown(ctx, value) {
		s.notKnown(attribute)
	}
	var scopes []string
	for _, element := range value.Elements() {
		scope, ok := element.(types.String)
		if scope.IsUnknown() {
			continue
		}
		if !ok || !validScope(scope.ValueString()) {
			s.invalid(
				attribute,
				"must hold scopes only: neither null nor empty, of printable ASCII characters "+
					"without blanks, quotes and backslashes",
			)
			return nil
		}
		scopes = append(scopes, scope.ValueString())
	}
	return scopes
}

func allValid(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(scope string) bool { return !validScope(scope) })
}

func validScope(scope string) bool {
	for i := range len(scope) {
		if c := scope[i]; c <= ' ' || c == '"' || c == '\\' || c > '~' {
			return false
		}
	}
	return scope != ""
}

// reservedHeaders belong to the provider or to the protocol. With an
// Idempotency-Key net/http would repeat a submission by itself; with
// Accept-Encoding it would hand out the answer compressed.
var reservedHeaders = []string{
	"Authorization", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection", "Host",
	"Traceparent", "Idempotency-Key", "X-Idempotency-Key",
	"Accept-Encoding", "Expect", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Upgrade",
}

// headers reads the fields to add to API requests.
func (s *settings) headers(
	ctx context.Context, attribute string, value types.Map,
) map[string]string {
	if value.IsNull() {
		return nil
	}
	if !allKnown(ctx, value) {
		s.notKnown(attribute)
	}
	elements := value.Elements()
	headers := make(map[string]string, len(elements))
	seen := make(map[string]bool, len(elements))
	for _, name := range slices.Sorted(maps.Keys(elements)) {
		text, ok := elements[name].(types.String)
		folded := strings.ToLower(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			s.invalidHeader(attribute, name, "is not the name of a header")
		case reserved(name):
			s.invalidHeader(
				attribute, name, "cannot be set: the provider or the protocol needs it for itself",
			)
		case seen[folded]:
			s.invalidHeader(
				attribute, name, "is given twice; names are the same in upper and lower case",
			)
		case text.IsUnknown():
		case !ok || text.IsNull():
			s.invalidHeader(attribute, name, "has no value")
		case !httpguts.ValidHeaderFieldValue(text.ValueString()):
			s.invalidHeader(
				attribute,
				name,
				"has a value with characters that a header cannot carry, such as a line break",
			)
		}
		seen[folded] = true
		headers[name] = text.ValueString()
	}
	return headers
}

// reserved reports whether the provider or the protocol needs the header of that name.
func reserved(name string) bool {
	return slices.ContainsFunc(reservedHeaders, func(header string) bool {
		return strings.EqualFold(header, name)
	})
}

// meaningfulHeaders may be set to what their standards say, but not to an id.
var meaningfulHeaders = []string{
	"Accept", "Accept-Charset", "Accept-Language", "Cache-Control", "Content-Encoding",
	"Content-Language", "Cookie", "Date", "Forwarded", "If-Match", "If-None-Match", "Pragma", "Prefer",
	"Range", "Tracestate", "User-Agent", "Via", "X-Forwarded-For", "X-Http-Method-Override",
}

// headerName reads the name of a header that is in none of headers.
func (s *settings) headerName(
	attribute string, value types.String, headers map[string]string,
) string {
	name, ok := s.text(attribute, value)
	if !ok {
		return ""
	}
	same := func(other string) bool { return strings.EqualFold(other, name) }
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		s.invalid(attribute, "is not the name of a header")
	case reserved(name):
		s.invalid(attribute, "names a header that the provider or the protocol needs for itself")
	case slices.ContainsFunc(meaningfulHeaders, same):
		s.invalid(attribute, "names a header to which an id would mean something else")
	case slices.ContainsFunc(slices.Collect(maps.Keys(headers)), same):
		s.invalid(attribute, "names a header that is also set in headers")
	}
	return name
}

// invalidHeader reports a wrong entry at its key. The value, which may be the key
// of a gateway, is not quoted.
func (s *settings) invalidHeader(attribute, name, reason string) {
	s.wrong.AddAttributeError(
		path.Root(attribute).AtMapKey(name),
		"Invalid provider setting "+attribute,
		fmt.Sprintf("The header %q of %s %s.", name, attribute, reason),
	)
}
