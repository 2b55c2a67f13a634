package emulator

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/notification/terraform-provider-notification/internal/emulator/ledger"
)

// exampleStudies are hard to decode: an integer beyond 2^53, a decimal without an exact binary
// fraction, null, nesting, and a name that must be escaped in a query.
//
//go:embed studies.json
var exampleStudies []byte

// studies returns the studies to look up, as JSON, by their name.
func (c Config) studies() (map[string][][]byte, error) {
	text := c.Studies
	if text == nil {
		text = exampleStudies
	}
	var items []json.RawMessage
	err := json.Unmarshal(text, &items)
	if err == nil && items == nil {
		err = errors.New("it is null")
	}
	studies := make(map[string][][]byte)
	for i, item := range items {
		var study map[string]any         // a struct would read a member NAME as name
		_ = json.Unmarshal(item, &study) // stays nil unless it is an object
		name, ok := study["name"].(string)
		if !ok {
			err = fmt.Errorf("item %d is not", i+1)
			break
		}
		studies[name] = append(studies[name], item)
	}
	if err != nil {
		err = fmt.Errorf("the studies must be a JSON array of objects, each with a string name: %w", err)
	}
	return studies, err
}

// lookUp responds to a lookup with an array of the studies of that name, verbatim. See the service
// contract, "Studies".
func (e *Emulator) lookUp(c *call) *response {
	if rejection := e.authorize(c, scopeRead); rejection != nil {
		return rejection
	}
	query, err := url.ParseQuery(c.r.URL.RawQuery)
	names := query["name"]
	if err != nil || len(query) != 1 || len(names) != 1 || strings.TrimSpace(names[0]) == "" {
		return problem(http.StatusBadRequest,
			"the query must hold name, exactly once and not blank, and nothing else")
	}
	found := e.studies[names[0]]
	e.update(func() { c.record.Lookup = &ledger.Lookup{Name: names[0], Found: len(found)} })
	body := fmt.Appendf(nil, "[%s]", bytes.Join(found, []byte{','}))
	return newResponse(http.StatusOK, body).with("Content-Type", "application/json")
}
