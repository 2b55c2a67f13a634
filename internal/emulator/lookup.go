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

	"terraform-provider-notification/internal/emulator/ledger"
)

// defaultCatalogue holds examples that are hard to decode: an integer beyond 2^53, a decimal
// without an exact binary fraction, null, nesting, and a name that must be escaped in a query.
//
//go:embed studies.json
var defaultCatalogue []byte

// newCatalogue groups the studies by name.
func newCatalogue(studies []json.RawMessage) (map[string][][]byte, error) {
	if studies == nil {
		_ = json.Unmarshal(defaultCatalogue, &studies) // is JSON
	}
	byName := make(map[string][][]byte, len(studies))
	for i, study := range studies {
		// Not a struct, for which encoding/json would read a member NAME as name.
		var members map[string]json.RawMessage
		var name *string
		err := json.Unmarshal(study, &members)
		if err == nil && members["name"] != nil {
			err = json.Unmarshal(members["name"], &name)
		}
		if err != nil || name == nil {
			return nil, fmt.Errorf("study %d of the catalogue is not an object with a string name", i+1)
		}
		byName[*name] = append(byName[*name], bytes.Clone(study))
	}
	return byName, nil
}

// lookUp responds to a studies lookup with an array of the studies of that name, verbatim from the
// catalogue. See the service contract, "Studies".
func (e *Emulator) lookUp(x *exchange) response {
	if rejection := e.authorize(x, scopeRead); rejection != nil {
		return *rejection
	}
	name, err := readName(x.r.URL.RawQuery)
	if err != nil {
		return problem(http.StatusBadRequest, err.Error())
	}
	found := e.studies[name]
	e.update(func() { x.record.Lookup = &ledger.Lookup{Name: name, Found: len(found)} })
	body := append([]byte{'['}, bytes.Join(found, []byte{','})...)
	return newResponse(http.StatusOK, "application/json", append(body, ']'))
}

func readName(rawQuery string) (string, error) {
	query, err := url.ParseQuery(rawQuery)
	names := query["name"]
	if err != nil || len(query) != 1 || len(names) != 1 || strings.TrimSpace(names[0]) == "" {
		return "", errors.New("the query must hold name, exactly once and not blank, and nothing else")
	}
	return names[0], nil
}
