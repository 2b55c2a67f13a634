package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/net/http/httpguts"
)

// keyHeaders have a setting of their own: with one of them net/http would repeat a submission by
// itself.
var keyHeaders = []string{"Idempotency-Key", "X-Idempotency-Key"}

// reservedHeaders belong to the provider or to the protocol. With Accept-Encoding net/http would hand
// out the answer compressed.
var reservedHeaders = append([]string{
	"Authorization", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection", "Host",
	"Traceparent",
	"Accept-Encoding", "Expect", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Upgrade",
}, keyHeaders...)

// meaningfulHeaders may be set to what their standards say, but not to an id.
var meaningfulHeaders = []string{
	"Accept", "Accept-Charset", "Accept-Language", "Cache-Control", "Content-Encoding",
	"Content-Language", "Cookie", "Date", "Forwarded", "If-Match", "If-None-Match", "Pragma",
	"Prefer", "Range", "Tracestate", "User-Agent", "Via", "X-Forwarded-For",
	"X-Http-Method-Override",
}

// isOneOf reports whether name is among names, which are the same in upper and lower case.
func isOneOf(names []string, name string) bool {
	return slices.ContainsFunc(names, func(other string) bool {
		return strings.EqualFold(other, name)
	})
}

// headers reads the fields to add to API requests.
func (r *reader) headers(attribute string, value types.Map) map[string]string {
	if value.IsNull() {
		return nil
	}
	elements, known := value.Elements(), !value.IsUnknown()
	headers := make(map[string]string, len(elements))
	var before []string
	for _, name := range slices.Sorted(maps.Keys(elements)) {
		text, ok := elements[name].(types.String)
		var reason string
		switch {
		case isOneOf(keyHeaders, name):
			reason = "cannot be set here: name it in idempotency_key_header"
		case isOneOf(reservedHeaders, name):
			reason = "cannot be set: the provider or the protocol needs it for itself"
		case isOneOf(before, name):
			reason = "is given twice; names are the same in upper and lower case"
		case text.IsUnknown():
			known = false
		case !ok || text.IsNull():
			reason = "has no value"
		case !httpguts.ValidHeaderFieldValue(text.ValueString()):
			reason = "has a value with characters that a header cannot carry, such as a line break"
		}
		switch summary := "Invalid provider setting " + attribute; {
		case !httpguts.ValidHeaderFieldName(name):
			// It may be anything, also what is sensitive, or what no path can carry.
			r.wrong.AddAttributeError(path.Root(attribute), summary,
				attribute+" holds a name that is not the name of a header.")
		case reason != "":
			// The value, which may be the key of a gateway, is not quoted.
			r.wrong.AddAttributeError(path.Root(attribute).AtMapKey(name), summary,
				fmt.Sprintf("The header %q of %s %s.", name, attribute, reason))
		}
		before = append(before, name)
		headers[name] = text.ValueString()
	}
	if !known {
		r.notKnown(attribute)
	}
	return headers
}

// headerName reads the name of a header that is in none of headers, and not reserved.
func (r *reader) headerName(
	attribute string, value types.String, headers map[string]string, reserved []string,
) string {
	name, ok := r.text(attribute, value)
	if !ok {
		return ""
	}
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		r.invalid(attribute, "is not the name of a header")
	case isOneOf(reserved, name):
		r.invalid(attribute, "names a header that the provider or the protocol needs for itself")
	case isOneOf(meaningfulHeaders, name):
		r.invalid(attribute, "names a header to which an id would mean something else")
	case isOneOf(slices.Collect(maps.Keys(headers)), name):
		r.invalid(attribute, "names a header that is also set in headers")
	}
	return name
}

// keyHeader reads the name of the header for idempotency keys, which requestIDHeader must not be.
func (r *reader) keyHeader(
	value types.String, headers map[string]string, requestIDHeader string,
) string {
	const attribute = "idempotency_key_header"
	others := slices.DeleteFunc(slices.Clone(reservedHeaders), func(name string) bool {
		return isOneOf(keyHeaders, name)
	})
	name := r.headerName(attribute, value, headers, others)
	if name != "" && strings.EqualFold(name, requestIDHeader) {
		r.invalid(attribute, "names the header that request_id_header names")
	}
	return name
}
