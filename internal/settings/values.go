package settings

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// verbatim returns text unchanged.
func verbatim(text string) (string, error) { return text, nil }

// boolean reads true or false.
func boolean(text string) (bool, error) {
	b, err := strconv.ParseBool(text)
	if err != nil {
		err = errors.New("must be true or false")
	}
	return b, err
}

// retries reads an integer from 0 to 10.
func retries(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 10 {
		return 0, errors.New("must be a whole number from 0 to 10")
	}
	return n, nil
}

// duration reads a positive Go duration.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("must be a duration above zero, such as 30s or 1m30s")
	}
	return d, nil
}

// scopes reads scopes that are separated by spaces.
func scopes(text string) ([]string, error) {
	scopes := slices.Compact(slices.Sorted(strings.FieldsSeq(text)))
	return scopes, checkScopes(scopes)
}

// scopes reads the set of the provider block.
func (l *loader) scopes(s setting, value attr.Value) {
	set, _ := value.(types.Set)
	for _, element := range set.Elements() {
		if scope, ok := element.(types.String); ok && !scope.IsUnknown() {
			l.config.Scopes = append(l.config.Scopes, scope.ValueString())
		}
	}
	if err := checkScopes(l.config.Scopes); err != nil {
		l.invalid(s.name, err)
	}
}

func checkScopes(scopes []string) error {
	for _, scope := range scopes {
		if !ValidScope(scope) {
			return errors.New("must contain scopes (in the variable, separated by spaces) that are " +
				"neither null nor empty, of printable ASCII characters without quotes and backslashes")
		}
	}
	return nil
}

// ValidScope reports whether text is one scope (RFC 6749, section 3.3).
func ValidScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r == '"' || r == '\\' || r > '~'
	})
}
