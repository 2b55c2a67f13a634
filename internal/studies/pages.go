package studies

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// furtherPages returns the name of the member beside the array "studies" of an answer that says
// that there are more studies than the array holds; empty if none does. The service's page shows
// no pages, so these are the names that others use.
func furtherPages(members map[string]json.RawMessage, studies int) string {
	for _, name := range []string{
		"next", "next_page_token", "nextPageToken", "next_cursor", "has_more", "_links.next",
		"links.next", "pagination.next",
	} {
		outer, inner, nested := strings.Cut(name, ".")
		value := members[outer]
		if nested {
			var links map[string]json.RawMessage
			_ = json.Unmarshal(value, &links) // none if it is something else
			value = links[inner]
		}
		if !isNothing(value) {
			return name
		}
	}
	for _, name := range []string{"total", "total_count"} {
		var number json.Number // which may be in a string
		_ = json.Unmarshal(members[name], &number)
		if total, err := number.Float64(); err == nil && total > float64(studies) {
			return name
		}
	}
	return ""
}

// isNothing reports whether a value, or the address of one that is a link, is none.
func isNothing(value json.RawMessage) bool {
	var link struct{ Href, URL json.RawMessage }
	_ = json.Unmarshal(value, &link) // none if it is something else
	switch {
	case link.Href != nil:
		value = link.Href
	case link.URL != nil:
		value = link.URL
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, value) // empty where there is none
	text := strings.Trim(compact.String(), `" `)
	return slices.Contains([]string{"", "null", "false", "0", "{}", "[]"}, text)
}
