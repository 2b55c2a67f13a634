package notification

import (
	"encoding/json"
	"strings"
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
	channel := func(members string) string { return with(`[{"type":"x"},{` + members + `}]`) }
	typed := func(members string) string { return channel(`"type":"x",` + members) }
	priority := func(value string) string { return `{"channels":[{"type":"x"}],"priority":` + value + `}` }
	const wrongType = " has the wrong type"
	const blank = " is blank, null or unknown: correct it or leave it out"
	for want, bodies := range map[string][]string{
		"the body" + wrongType: {`[]`, `"x"`},
		"the body" + blank:     {`null`},

		"a member without a name" + blank:        {priority(`"HIGH","":1`)},
		"prio" + blank:                           {priority(`"HIGH","prio":1`), priority(`"HIGH","prio":{}`)},
		strings.Repeat("x", 100) + blank:         {`{"` + strings.Repeat("x", 1000) + `":1}`},
		"priority" + blank:                       {priority(`null`), priority(`" "`)},
		"priority" + wrongType:                   {priority(`1`)},
		"priority must be HIGH, NORMAL or BATCH": {`{"channels":[{"type":"x"}]}`, priority(`"high"`)},

		"channels is given twice": {
			`{"priority":"HIGH","channels":[{"type":"x","subject":"y"}],"channels":[{"type":"x"}]}`,
		},
		"fields is given twice":        {typed(`"fields":{"a":"1"},"fields":{"b":"2"}`)},
		"a is given twice":             {typed(`"fields":{"a":"1","b":"2","a":"1"}`)},
		"channels is missing or empty": {`{}`, `{"priority":"HIGH"}`, with(`[]`)},
		"channels" + wrongType:         {with(`{}`), with(`["slack"]`)},
		"channels" + blank: {with(`null`), with(`[null]`),
			with(`[{"type":"x"},{"type":"y"}],"channelſ":[{"type":"z"}]`)},
		"Channels" + blank: {`{"Channels":[{"type":"x"}],"priority":"HIGH"}`},

		"channels.type is missing":    {channel(``)},
		"channels.type" + blank:       {channel(`"type":""`), channel(`"type":" "`), channel(`"type":null`)},
		"channels.TYPE" + blank:       {typed(`"TYPE":"y"`)},
		"channels.recipients" + blank: {typed(`"recipients":[]`)},
		"channels.recipient" + blank: {typed(`"recipient":null`), typed(`"recipient":[]`),
			typed(`"recipient":["C","\t"]`), typed(`"recipient":["C",null]`)},
		"channels.recipient" + wrongType:   {typed(`"recipient":"C"`), typed(`"recipient":["C",5]`)},
		"channels.subject" + blank:         {typed(`"subject":null`), typed(`"subject":""`)},
		"channels.content_type" + blank:    {typed(`"content_type":" "`)},
		"channels.template_id" + wrongType: {typed(`"template_id":true`)},
		"channels.fields" + blank:          {typed(`"fields":null`)},
		"channels.fields.b" + blank:        {typed(`"fields":{"a":"","b":null}`)},
		"channels.fields" + wrongType:      {typed(`"fields":[]`), typed(`"fields":{"b":{"c":1}}`)},
	} {
		for _, body := range bodies {
			if _, err := Parse([]byte(body)); err == nil || err.Error() != want {
				t.Errorf("%s: got %v, want %s", body, err, want)
			}
		}
	}
}
