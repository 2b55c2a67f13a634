package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// boolean reads true or false, which is the default.
func (r *reader) boolean(attribute string, value types.Bool) bool {
	text, ok := r.textOf(attribute, value, strconv.FormatBool(value.ValueBool()))
	if !ok {
		return false
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		r.invalid(attribute, "must be true or false")
	}
	return b
}

// number reads an integer from 0 to limit.
func (r *reader) number(attribute string, value types.Int64, fallback, limit int) int {
	text, ok := r.textOf(attribute, value, strconv.FormatInt(value.ValueInt64(), 10))
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > limit {
		r.invalid(attribute, "must be a whole number from 0 to %d", limit)
		return fallback
	}
	return n
}

// duration reads a positive Go duration.
func (r *reader) duration(
	attribute string, value types.String, fallback time.Duration,
) time.Duration {
	text, ok := r.text(attribute, value)
	if !ok {
		return fallback
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		r.invalid(attribute, "must be a duration above zero, such as 30s or 1m30s")
		return fallback
	}
	return d
}

// scopes reads a set of scopes, which the variable separates by spaces.
func (r *reader) scopes(attribute string, value types.Set) (scopes []string) {
	switch {
	case value.IsUnknown():
		r.notKnown(attribute)
		return nil
	case value.IsNull():
		scopes = slices.Compact(slices.Sorted(strings.FieldsSeq(r.getenv(variable(attribute)))))
		if slices.ContainsFunc(scopes, func(scope string) bool { return !ValidScope(scope) }) {
			r.invalid(attribute, "must hold scopes only: printable ASCII characters without "+
				"quotes and backslashes, separated by spaces")
		}
		return scopes
	}
	known := true
	for _, element := range value.Elements() {
		scope, ok := element.(types.String)
		if scope.IsUnknown() {
			known = false
			continue
		}
		if !ok || !ValidScope(scope.ValueString()) {
			r.invalid(attribute, "must hold scopes only: neither null nor empty, of printable "+
				"ASCII characters without blanks, quotes and backslashes")
			return nil
		}
		scopes = append(scopes, scope.ValueString())
	}
	if !known {
		r.notKnown(attribute)
	}
	return scopes
}

// ValidScope reports whether text is one scope (RFC 6749, section 3.3).
func ValidScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r == '"' || r == '\\' || r > '~'
	})
}
