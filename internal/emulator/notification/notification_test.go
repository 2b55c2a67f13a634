package notification

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := Parse([]byte(` {"priority": "NORMAL",
		"channels": [
			{"type": "slack", "recipient": ["C1", "C2"], "subject": "<b>\n", "content_type": "md",
			 "template_id": "t", "fields": {"a b": "", "ü": "é"}},
			{"type": "mail", "fields": {}}]}`))
	want := Notification{
		Priority: "NORMAL",
		Channels: []Channel{
			{
				Type: "slack", Recipient: []string{"C1", "C2"}, Subject: "<b>\n", ContentType: "md",
				TemplateID: "t", Fields: map[string]string{"a b": "", "ü": "é"},
			},
			{Type: "mail", Fields: map[string]string{}},
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, %v\nwant\n%+v", got, err, want)
	}
}

func TestParseInvalid(t *testing.T) {
	t.Parallel()
	channel := func(members string) string {
		return `{"priority":"HIGH","channels":[{"type":"x"},{` + members + `}]}`
	}
	typed := func(members string) string { return channel(`"type":"x",` + members) }
	const orGive = ": leave it out or give "
	for body, want := range map[string]string{
		`[]`:   "the body must be an object",
		`null`: "the body must not be null" + orGive + "an object",
		`{"channels":[{"type":"x"}],"priority":"HIGH","prio":1}`: `the body must not have a member ` +
			`"prio", only channels, priority`,
		`{"Channels":[{"type":"x"}],"priority":"HIGH"}`: `the body must not have a member ` +
			`"Channels", only channels, priority`,
		`{"priority":"HIGH","channels":[{"type":"x"}],"priority":"HIGH"}`: `the body has more than ` +
			`one member "priority"`,
		`{"priority":"HIGH"}`:                        "channels is missing",
		`{"priority":"HIGH","channels":[]}`:          "channels must not be empty",
		`{"channels":[{"type":"x"}]}`:                "priority is missing",
		`{"channels":[{"type":"x"}],"priority":" "}`: "priority must not be blank",
		`{"channels":[{"type":"x"}],"priority":"high"}`: "priority must be HIGH, NORMAL or BATCH, " +
			`not "high"`,
		`{"channels":["slack"],"priority":"HIGH"}`: "channels[0] must be an object",

		channel(``):                     "channels[1].type is missing",
		channel(`"type":" "`):           "channels[1].type must not be blank",
		typed(`"recipients":[]`):        `channels[1] must not have a member "recipients", only type, `,
		typed(`"recipient":null`):       "channels[1].recipient must not be null" + orGive + "an array",
		typed(`"recipient":"C"`):        "channels[1].recipient must be an array",
		typed(`"recipient":[]`):         "channels[1].recipient must not be empty",
		typed(`"recipient":["C","\t"]`): "channels[1].recipient[1] must not be blank",
		typed(`"subject":null`):         "channels[1].subject must not be null" + orGive + "a string",
		typed(`"content_type":" "`):     "channels[1].content_type must not be blank",
		typed(`"template_id":true`):     "channels[1].template_id must be a string",
		typed(`"fields":null`):          "channels[1].fields must not be null" + orGive + "an object",
		typed(`"fields":[]`):            "channels[1].fields must be an object",
		typed(`"fields":{"a":"","b":null}`): `channels[1].fields["b"] must not be null` + orGive +
			"a string",
		typed(`"fields":{"a":"1","a":"1"}`): `channels[1].fields has more than one member "a"`,

		// Of several mistakes, the first is reported; of several fields, the first by name.
		`{"channels":[{"type":1},{"subject":1}],"priority":1}`: "channels[0].type must be a string",

		typed(`"fields":{"z":1,"b":1},"subject":1`): "channels[1].subject must be a string",
		typed(`"fields":{"z":1,"b":1}`):             `channels[1].fields["b"] must be a string`,
	} {
		_, err := Parse([]byte(body))
		if err == nil || !strings.HasPrefix(err.Error(), want) ||
			!strings.HasSuffix(want, " ") && err.Error() != want { // a list follows
			t.Errorf("%s: got %v, want %s", body, err, want)
		}
	}
}
