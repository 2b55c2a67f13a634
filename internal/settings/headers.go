package settings

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/net/http/httpguts"
)

// The names in these lists are in canonical form (http.CanonicalHeaderKey).

// keyHeaders can only be set by idempotency_key_header: a constant value would make different
// notifications the same.
var keyHeaders = []string{"Idempotency-Key", "X-Idempotency-Key"}

// reservedHeaders are set by the provider or by HTTP itself. With Accept-Encoding, net/http would
// not decompress responses.
var reservedHeaders = []string{
	"Authorization", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection", "Host",
	"Traceparent", "X-Request-Id",
	"Accept-Encoding", "Expect", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Upgrade",
}

// contentHeaders change how a submission is read, and so cannot carry a key.
var contentHeaders = []string{"Content-Encoding", "Cookie", "Range"}

// headers reads the headers to add to API requests.
func (l *loader) headers(s setting, value attr.Value) {
	fields, _ := value.(types.Map)
	elements := fields.Elements()
	l.config.Header = make(http.Header, len(elements))
	for _, name := range slices.Sorted(maps.Keys(elements)) {
		text, _ := elements[name].(types.String)
		canonical := http.CanonicalHeaderKey(name)
		var reason string
		switch {
		case slices.Contains(keyHeaders, canonical):
			reason = "cannot be set here: name it in idempotency_key_header"
		case slices.Contains(reservedHeaders, canonical):
			reason = "cannot be set: the provider or HTTP itself sets it"
		case l.config.Header.Values(name) != nil:
			reason = "is given twice; header names are case-insensitive"
		case text.IsUnknown():
		case text.IsNull():
			reason = "has no value"
		case !httpguts.ValidHeaderFieldValue(text.ValueString()):
			reason = "has a value with characters that a header cannot carry, such as a line break"
		}
		switch summary := titleInvalid + " " + s.name; {
		case !httpguts.ValidHeaderFieldName(name):
			// The name may be sensitive, or not UTF-8, which cannot be in a path.
			l.diags.AddAttributeError(path.Root(s.name), summary,
				s.name+" contains a name that is not a valid header name.")
		case reason != "":
			// The value, which may be the key of a gateway, is not quoted.
			l.diags.AddAttributeError(path.Root(s.name).AtMapKey(name), summary,
				fmt.Sprintf("The header %q of %s %s.", name, s.name, reason))
		}
		l.config.Header.Set(name, text.ValueString())
	}
}

// keyHeader reads the name of the header for idempotency keys. Unlike headers, it accepts
// keyHeaders, and X-Request-ID, which then carries no request id.
func keyHeader(name string) (string, error) {
	canonical := http.CanonicalHeaderKey(name)
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return "", errors.New("is not a valid header name")
	case slices.Contains(reservedHeaders, canonical) && canonical != "X-Request-Id":
		return "", errors.New("names a header that the provider or HTTP itself sets")
	case slices.Contains(contentHeaders, canonical):
		return "", errors.New("names a header that has another meaning in HTTP")
	}
	return name, nil
}

// checkKeyHeader reports a header for idempotency keys that is also in headers.
func (l *loader) checkKeyHeader() {
	name := l.config.IdempotencyKeyHeader
	if name != "" && l.config.Header.Values(name) != nil {
		l.invalid("idempotency_key_header",
			errors.New("names a header that is also set in headers"))
	}
}
