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
	const wrongType = " has the wrong type"
	const blank = " is blank, null or unknown: correct it or leave it out"
	for body, want := range map[string]string{
		`[]`:   "the body" + wrongType,
		`"x"`:  "the body" + wrongType,
		`null`: "the body" + blank,
		`{}`:   "channels is missing or empty",
		`{"` + strings.Repeat("x", 1000) + `":1}`:                strings.Repeat("x", 100) + blank, // not all of it
		`{"channels":[{"type":"x"}],"priority":"HIGH","prio":1}`: "prio" + blank,
		`{"channels":[{"type":"x"}],"priority":"HIGH","p":{}}`:   "p" + blank,
		`{"Channels":[{"type":"x"}],"priority":"HIGH"}`:          "Channels" + blank,
		`{"priority":"HIGH"}`:                                    "channels is missing or empty",
		`{"priority":"HIGH","channels":[]}`:                      "channels is missing or empty",
		`{"priority":"HIGH","channels":null}`:                    "channels" + blank,
		`{"priority":"HIGH","channels":{}}`:                      "channels" + wrongType,
		`{"priority":"HIGH","channels":["slack"]}`:               "channels" + wrongType,
		`{"priority":"HIGH","channels":[null]}`:                  "channels" + blank,
		`{"channels":[{"type":"x"}]}`:                            "priority must be HIGH, NORMAL or BATCH",
		`{"channels":[{"type":"x"}],"priority":null}`:            "priority" + blank,
		`{"channels":[{"type":"x"}],"priority":1}`:               "priority" + wrongType,
		`{"channels":[{"type":"x"}],"priority":" "}`:             "priority" + blank,
		`{"channels":[{"type":"x"}],"priority":"high"}`:          "priority must be HIGH, NORMAL or BATCH",
		`{"priority":"HIGH","channels":[{"type":"x"},{"type":"y"}],"channelſ":[{"type":"z"}]}`://
		"channels" + blank,

		channel(``):                            "channels.type is missing",
		channel(`"type":""`):                   "channels.type" + blank,
		channel(`"type":" "`):                  "channels.type" + blank,
		channel(`"type":null`):                 "channels.type" + blank,
		typed(`"recipients":[]`):               "channels.recipients" + blank,
		typed(`"TYPE":"y"`):                    "channels.TYPE" + blank,
		typed(`"recipient":null`):              "channels.recipient" + blank,
		typed(`"recipient":"C"`):               "channels.recipient" + wrongType,
		typed(`"recipient":[]`):                "channels.recipient" + blank,
		typed(`"recipient":["C","\t"]`):        "channels.recipient" + blank,
		typed(`"recipient":["C",null]`):        "channels.recipient" + blank,
		typed(`"recipient":["C",5]`):           "channels.recipient" + wrongType,
		typed(`"subject":null`):                "channels.subject" + blank,
		typed(`"subject":""`):                  "channels.subject" + blank,
		typed(`"content_type":" "`):            "channels.content_type" + blank,
		typed(`"template_id":true`):            "channels.template_id" + wrongType,
		typed(`"fields":null`):                 "channels.fields" + blank,
		typed(`"fields":[]`):                   "channels.fields" + wrongType,
		typed(`"fields":{"a":"","b":null}`):    "channels.fields.b" + blank,
		typed(`"fields":{"a":"","b":{"c":1}}`): "channels.fields" + wrongType,
	} {
		_, err := Parse([]byte(body))
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", body, err, want)
		}
	}
}
