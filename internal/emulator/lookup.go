package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"terraform-provider-notification/internal/emulator/ledger"
)

// catalogue holds the items of a lookup, as JSON, by their name.
type catalogue map[string][][]byte

// catalogues returns the catalogues of all lookups, by the endpoint's name.
func (c Config) catalogues() (map[string]catalogue, error) {
	catalogues := make(map[string]catalogue)
	for _, endpoint := range Endpoints() {
		text := c.Catalogues[endpoint.Name]
		if text == nil {
			text = endpoint.Catalogue
		}
		found, err := parseCatalogue(text)
		if err != nil && text != nil {
			return nil, fmt.Errorf("the catalogue of %s must be a JSON array of objects, each with a "+
				"string name: %w", endpoint.Name, err)
		}
		catalogues[endpoint.Name] = found
	}
	return catalogues, nil
}

func parseCatalogue(text []byte) (catalogue, error) {
	var items []json.RawMessage
	err := json.Unmarshal(text, &items)
	if err == nil && items == nil {
		err = errors.New("it is null")
	}
	found := make(catalogue, len(items))
	for i, item := range items {
		// Not a struct, for which encoding/json would read a member NAME as name.
		var members map[string]json.RawMessage
		var value any
		_ = json.Unmarshal(item, &members) // stays nil unless it is an object
		_ = json.Unmarshal(members["name"], &value)
		name, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("item %d is not", i+1)
		}
		found[name] = append(found[name], item)
	}
	return found, err
}

// lookUp responds to a lookup with an array of the items of that name, verbatim from the endpoint's
// catalogue. See the service contract, "Studies".
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
	found := e.catalogues[c.endpoint.Name][names[0]]
	e.update(func() { c.record.Lookup = &ledger.Lookup{Name: names[0], Found: len(found)} })
	body := append([]byte{'['}, bytes.Join(found, []byte{','})...)
	return newResponse(http.StatusOK, append(body, ']')).with("Content-Type", "application/json")
}
