package settings

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
)

// setting is an attribute of the provider block, and the environment variable that can take its
// place.
type setting struct {
	name        string
	kind        attr.Type // nil: a string
	sensitive   bool
	placeholder string // of a required setting: what will do where no request is made
	fallback    string // the default, as text
	description string // in Markdown, without the default

	// text reads a text that is not empty. Its error ends the sentence "The value of NAME …". nil:
	// there is no variable.
	text func(string) error

	// value reads a collection of the provider block, whose elements may be unknown or null, and
	// reports what is wrong. nil: the attribute is read as text.
	value func(setting, attr.Value)
}

// variable is the environment variable of a setting.
func (s setting) variable() string { return "NOTIFICATION_" + strings.ToUpper(s.name) }

// into returns a function that parses a text into a part of the configuration.
func into[T any](part *T, parse func(string) (T, error)) func(string) error {
	return func(text string) (err error) {
		*part, err = parse(text)
		return err
	}
}
