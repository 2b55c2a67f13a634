package fault

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

var targets = []string{"token", "submission"}

func responds(status int, header map[string]string, body []byte) Fault {
	return Fault{Respond: &Response{status, header, body}}
}

func served(f Fault) Fault {
	f.Serve = true
	return f
}

// Every kind, with its arguments and with -after.
func TestParseFault(t *testing.T) {
	t.Parallel()
	unavailable := responds(503, map[string]string{"Retry-After": "0"}, nil)
	moved := responds(303, map[string]string{"Location": "http://h:1/x?y=z"}, []byte{})
	jsonResponse := responds(200, map[string]string{"Content-Type": "application/json"},
		[]byte(`{"a":[1,2]}`))
	for text, want := range map[string]Fault{
		"pass":                                {Serve: true},
		"status:200":                          responds(200, nil, nil),
		"status:599":                          responds(599, nil, nil),
		"status:503:0":                        unavailable,
		"status-after:503:0":                  served(unavailable),
		"html":                                {Respond: html},
		"html-after":                          {Serve: true, Respond: html},
		`json:{"a":[1,2]}`:                    jsonResponse,
		`json-after:{"a":[1,2]}`:              served(jsonResponse),
		"empty":                               served(responds(0, nil, []byte{})),
		"redirect:303:http://h:1/x?y=z":       moved,
		"redirect-after:303:http://h:1/x?y=z": served(moved),
		"redirect:308:/!~":                    responds(308, map[string]string{"Location": "/!~"}, []byte{}),
		"reset-before":                        {End: Reset},
		"reset-after":                         {Serve: true, End: Reset},
		"close-before":                        {End: Close},
		"close-after":                         {Serve: true, End: Close},
		"truncate":                            {Serve: true, End: Truncate},
		"hang":                                {End: Hang},
		"hang-after":                          {Serve: true, End: Hang},
		"delay:1.5s":                          {Serve: true, Delay: 1500 * time.Millisecond},
		"revoke":                              {Serve: true, Revoke: true},
	} {
		want.Text = text
		got, err := parseFault(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
}

func TestFaultsParseRejects(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"repeat":                  `no "repeat"`,
		"pass,repeat,pass":        `no "repeat"`,
		"repeat*2":                `no "repeat"`,
		"json-after":              "BODY",
		"*2":                      `no ""`,
		"pass,":                   `no ""`,
		" pass":                   `no " pass"`,
		"explode":                 `no "explode"`,
		"pass-after":              `no "pass-after"`,
		"status:500-after":        "CODE",
		"pass:":                   "no arguments",
		"pass*0":                  "N must be",
		"pass*":                   "N must be",
		"pass*1*2":                `no "pass*1"`,
		"pass*99999999999999999":  "N must be",
		"status:":                 "CODE",
		"status:199":              "CODE",
		"status:600":              "CODE",
		"status:503:":             "RETRY_AFTER",
		"status:503:-1":           "RETRY_AFTER",
		"status:503:+5":           "RETRY_AFTER",
		"pass*03":                 "N must be",
		"status:200,status:503:١": "RETRY_AFTER",
		"redirect:/x":             "CODE must be 301",
		"redirect:304:/x":         "CODE must be 301",
		"redirect:302:":           "URL",
		"redirect:302:http://[":   "URL",
		"delay:":                  "DURATION",
		"delay:0s":                "DURATION",
		"delay:-1s":               "DURATION",
		"json":                    "BODY",
		"json:{}*2":               "BODY",
		"json:{},repeat":          "BODY",
		"pass,pass,status:1,pass": `"status:1"`,
	} {
		_, err := Faults{"submission": text}.Parse(targets)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "the steps are pass, status[-after]:CODE[:RETRY_AFTER], ") {
			t.Errorf("%q: %v", text, err)
		}
	}
	_, err := Faults{"token": "pass*10000,pass"}.Parse(targets)
	if err == nil || !strings.Contains(err.Error(), "10000 requests at most") {
		t.Error(err)
	}
	_, err = Faults{"other": "pass", "token": "x", "submission": "y"}.Parse(targets)
	for _, want := range []string{
		`no faults for "other", only for token, submission`, "faults for token: ", "faults for submission: ",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
}

// Next returns the expected steps, and Faults the expected remainder after each.
func TestNext(t *testing.T) {
	t.Parallel()
	for text, steps := range map[string][]string{ // step|remainder
		"":                {"pass|", "pass|"},
		"hang*2,empty":    {"hang|hang,empty", "hang|empty", "empty|", "pass|"},
		"hang*2,repeat":   {"hang|hang*2,repeat", "hang|hang*2,repeat"},
		"pass,json:[1,2]": {"pass|json:[1,2]", "json:[1,2]|", "pass|"},
		`json:"*2"`:       {`json:"*2"|`, "pass|"},
		"hang*2,empty,repeat": {
			"hang|hang,empty,hang,repeat", "hang|empty,hang*2,repeat", "empty|hang*2,empty,repeat",
		},
		"status:500,status:501,repeat": {
			"status:500|status:501,status:500,repeat", "status:501|status:500,status:501,repeat",
		},
	} {
		s, err := Faults{"submission": text}.Parse(targets)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range steps {
			got := s.Next("submission").Text + "|" + s.Faults(targets)["submission"]
			if got != want {
				t.Errorf("%q: step %d is %s, want %s", text, i+1, got, want)
			}
		}
	}
}

func TestFaultUsage(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		" Targets: token, submission. ", "\n  pass                                no fault\n", "\n  json[-after]:BODY     ",
	} {
		if text := Usage(targets); !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// A valid sequence prints as text that parses to the same sequence.
func FuzzFaults(f *testing.F) {
	for _, seed := range []string{
		"pass*6,status:503:0,repeat", "status-after:429:10*3", `empty,json:{"a":[1,2]}`,
		"redirect:301:http://h:1/x", "delay:1.5ms*2", "repeat", ",,*", "status:200*0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Faults{"token": text}.Parse(targets)
		if err != nil {
			return
		}
		printed := s.Faults(targets)["token"]
		again, err := Faults{"token": printed}.Parse(targets)
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%q is %+v and prints as %q, which is %+v, %v", text, s, printed, again, err)
		}
	})
}
