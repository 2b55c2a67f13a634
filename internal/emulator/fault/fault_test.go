package fault

import (
	"reflect"
	"strings"
	"testing"
)

var targets = []string{"token", "submission"}

func TestFaultsParseRejects(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"repeat":                  `no "repeat"`,
		"pass,repeat,pass":        `no "repeat"`,
		"*2":                      `no ""`,
		"html[-after]":            `no "html[-after]"`,
		"pass-after":              `no "pass-after"`,
		"status:500-after":        "CODE",
		"pass:":                   "no arguments",
		"pass*0":                  "N must be",
		"pass*99999999999999999":  "N must be",
		"status:199":              "CODE",
		"status:600":              "CODE",
		"status:429:+5":           "RETRY_AFTER",
		"redirect:304:/x":         "CODE must be 301",
		"redirect:302:":           "URL not empty",
		"delay:0s":                "DURATION",
		"json:{}*2":               "BODY",
		"json:422:":               "BODY",
		"json:99:{}":              "CODE",
		"pass,pass,status:1,pass": `"status:1"`,
	} {
		_, err := Faults{"submission": text}.Parse(targets)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "the steps are pass, status[-after]:CODE[:RETRY_AFTER], ") {
			t.Errorf("%q: got %v, want %q and the list of steps", text, err, want)
		}
	}
	for want, faults := range map[string]Faults{
		"10000 requests at most":                            {"token": "pass*10000,pass"},
		`no faults for "other", only for token, submission`: {"other": "pass", "token": "x"},
		"faults for token: ":                                {"other": "pass", "token": "x"},
	} {
		if _, err := faults.Parse(targets); err == nil || !strings.Contains(err.Error(), want) {
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
		"pass,json:[1,2]": {"pass|json:[1,2]", "json:[1,2]|", "pass|"},
		`json:"*2"`:       {`json:"*2"|`, "pass|"},
		`json:422:{}`:     {`json:422:{}|`, "pass|"},

		"status:429:2147483647": {"status:429:2147483647|", "pass|"}, // any int32
		"hang*2,empty,repeat": {
			"hang|hang,empty,hang,repeat", "hang|empty,hang*2,repeat", "empty|hang*2,empty,repeat",
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

// A valid sequence prints as text that parses to the same sequence.
func FuzzFaults(f *testing.F) {
	for _, seed := range []string{
		"pass*6,status:429:0,repeat", "status-after:503:10*3", `empty,json:{"a":[1,2]}`,
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
