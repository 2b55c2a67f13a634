package notification

import (
	"reflect"
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
	const leaveOut = " is an unknown member, or null or empty: leave it out"
	for body, want := range map[string]string{
		`[]`:   "the body: expected an object",
		`"x"`:  "the body: expected an object",
		`null`: "the body: expected an object",
		`{"channels":[{"type":"x"}],"priority":"HIGH","prio":1}`: "prio" + leaveOut,
		`{"Channels":[{"type":"x"}],"priority":"HIGH"}`:          "Channels" + leaveOut,
		`{"priority":"HIGH"}`:                                    "channels is missing or empty",
		`{"priority":"HIGH","channels":[]}`:                      "channels is missing or empty",
		`{"priority":"HIGH","channels":null}`:                    "channels must not be null",
		`{"priority":"HIGH","channels":{}}`:                      "channels: expected an array",
		`{"priority":"HIGH","channels":["slack"]}`:               "channels: expected an object",
		`{"priority":"HIGH","channels":[null]}`:                  "channels must not be null",
		`{"channels":[{"type":"x"}]}`:                            `priority must be HIGH, NORMAL or BATCH, not ""`,
		`{"priority":"HIGH","channels":[{"type":"x"},{"type":"y"}],"channelſ":[{"type":"z"}]}`: "channels is given " +
			"twice",
		`{"channels":[{"type":"x"}],"priority":null}`: "priority must not be null",
		`{"channels":[{"type":"x"}],"priority":1}`:    "priority: expected a string",
		`{"channels":[{"type":"x"}],"priority":" "}`:  "priority must not be blank",
		`{"channels":[{"type":"x"}],"priority":"high"}`: "priority must be HIGH, NORMAL or BATCH, " +
			`not "high"`,

		channel(``):                            "channels.type is missing",
		channel(`"type":""`):                   "channels.type must not be blank",
		channel(`"type":" "`):                  "channels.type must not be blank",
		channel(`"type":null`):                 "channels.type must not be null",
		typed(`"recipients":[]`):               "channels.recipients" + leaveOut,
		typed(`"TYPE":"y"`):                    "channels.TYPE" + leaveOut,
		typed(`"recipient":null`):              "channels.recipient" + leaveOut,
		typed(`"recipient":"C"`):               "channels.recipient: expected an array",
		typed(`"recipient":[]`):                "channels.recipient" + leaveOut,
		typed(`"recipient":["C","\t"]`):        "channels.recipient must not be blank",
		typed(`"recipient":["C",null]`):        "channels.recipient must not be null",
		typed(`"recipient":["C",5]`):           "channels.recipient: expected a string",
		typed(`"subject":null`):                "channels.subject" + leaveOut,
		typed(`"subject":""`):                  "channels.subject" + leaveOut,
		typed(`"content_type":" "`):            "channels.content_type must not be blank",
		typed(`"template_id":true`):            "channels.template_id: expected a string",
		typed(`"fields":null`):                 "channels.fields" + leaveOut,
		typed(`"fields":[]`):                   "channels.fields: expected an object",
		typed(`"fields":{"a":"","b":null}`):    "channels.fields.b must not be null",
		typed(`"fields":{"a":"","b":{"c":1}}`): "channels.fields: expected a string",
	} {
		_, err := Parse([]byte(body))
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", body, err, want)
		}
	}
}
