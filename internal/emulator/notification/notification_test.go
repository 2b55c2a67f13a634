package notification

import (
	"encoding/json"
	"testing"
)

// Nothing of a valid body is lost or changed.
func TestParse(t *testing.T) {
	t.Parallel()
	const body = `{"channels":[{"type":"slack","recipient":["C1","C2"],"subject":"b\n",` +
		`"content_type":"md","template_id":"t","fields":{"a b":"","ü":"é"}},` +
		`{"type":"mail","fields":{}}],"priority":"NORMAL"}`
	parsed, err := Parse([]byte(body))
	if again, _ := json.Marshal(parsed); err != nil || string(again) != body {
		t.Errorf("got %v\n%s\nwant\n%s", err, again, body)
	}
}

func TestParseInvalid(t *testing.T) {
	t.Parallel()
	with := func(channels string) string { return `{"priority":"HIGH","channels":` + channels + `}` }
	typed := func(members string) string { return with(`[{"type":"x"},{"type":"x",` + members + `}]`) }
	priority := func(value string) string { return `{"channels":[{"type":"x"}],"priority":` + value + `}` }
	const wrongType, missing = " has the wrong type", "channels is missing or empty"
	for body, want := range map[string]string{
		`[]`:                             "the body" + wrongType,
		`null`:                           missing,
		`{"priority":"HIGH"}`:            missing,
		with(`[]`):                       missing,
		with(`{}`):                       "channels" + wrongType,
		with(`[{}]`):                     "channels.type is missing",
		typed(`"recipients":[]`):         `json: unknown field "recipients"`,
		typed(`"recipient":["C",5]`):     "channels.recipient" + wrongType,
		typed(`"fields":{"b":{"c":1}}`):  "channels.fields" + wrongType,
		priority(`1`):                    "priority" + wrongType,
		priority(`"high"`):               "priority must be HIGH, NORMAL or BATCH",
		priority(`"HIGH","prio":"HIGH"`): `json: unknown field "prio"`,
	} {
		if _, err := Parse([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", body, err, want)
		}
	}
}
