package studies

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// FurtherPages returns the name of the member beside the array "studies" of an answer that says
// that there are more studies than the array holds; empty if none does. The service's page shows
// no pages, so these are the names that others use.
func FurtherPages(body []byte) string {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || // not to read all of an array
		json.Unmarshal(body, &members) != nil {
		return ""
	}
	var studies []json.RawMessage
	if json.Unmarshal(members["studies"], &studies) != nil {
		return ""
	}
	for _, name := range []string{
		"next", "next_page_token", "nextPageToken", "next_cursor", "_links.next", "links.next",
	} {
		outer, inner, nested := strings.Cut(name, ".")
		value := members[outer]
		if nested {
			var links map[string]json.RawMessage
			_ = json.Unmarshal(value, &links) // none if it is something else
			value = links[inner]
		}
		if !slices.Contains([]string{"", "null", "false", "0", `""`, "{}", "[]"}, string(value)) {
			return name
		}
	}
	for _, name := range []string{"total", "total_count"} {
		var total float64
		if json.Unmarshal(members[name], &total) == nil && total > float64(len(studies)) {
			return name
		}
	}
	return ""
}
