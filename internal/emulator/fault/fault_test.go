package fault

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/route"
)

func TestParseSequence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Step{
		"":                        nil,
		"pass":                    {{Name: "pass", count: 1}},
		"pass*6,hang":             {{Name: "pass", count: 6}, {Name: "hang", count: 1}},
		"empty,repeat":            {{Name: "empty", count: 1}},
		"status:200":              {{Name: "status", count: 1, Code: 200}},
		"status:599":              {{Name: "status", count: 1, Code: 599}},
		"status:429:7*2":          {{Name: "status", count: 2, Code: 429, retryAfter: "7"}},
		"status:503:0":            {{Name: "status", count: 1, Code: 503, retryAfter: "0"}},
		"status:503:date+0":       {{Name: "status", count: 1, Code: 503, retryAfter: "date+0"}},
		"oauth:invalid_scope":     {{Name: "oauth", count: 1, Argument: "invalid_scope", Code: 400}},
		"oauth:invalid_scope:401": {{Name: "oauth", count: 1, Argument: "invalid_scope", Code: 401}},
		"oauth:az_09":             {{Name: "oauth", count: 1, Argument: "az_09", Code: 400}},
		"html":                    {{Name: "html", count: 1, Code: 200}},
		"html:403*3":              {{Name: "html", count: 3, Code: 403}},
		"delay:1.5s":              {{Name: "delay", count: 1, Duration: 1500 * time.Millisecond}},
		"lifetime:0s":             {{Name: "lifetime", count: 1}},
		"redirect:http://h:1/x?y=z": {
			{Name: "redirect", count: 1, Code: 307, Argument: "http://h:1/x?y=z"},
		},
		"redirect:302:/there*2": {{Name: "redirect", count: 2, Code: 302, Argument: "/there"}},
		"redirect:/!~":          {{Name: "redirect", count: 1, Code: 307, Argument: "/!~"}},
		"redirect:123":          {{Name: "redirect", count: 1, Code: 307, Argument: "123"}},
	} {
		for i := range want {
			want[i].text, _, _ = strings.Cut(strings.Split(text, ",")[i], "*")
		}
		got, err := parseSequence(route.Token, text)
		if err != nil || !reflect.DeepEqual(got.steps, want) ||
			got.repeat != strings.HasSuffix(text, ",repeat") {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
		again, err := parseSequence(route.Token, got.String())
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%q prints as %q, which is %+v, %v", text, got, again, err)
		}
	}
}

func TestParseSequenceRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"repeat":                  "needs steps",
		"pass,repeat,pass":        "last",
		"repeat*2":                `no "repeat"`,
		"*2":                      `no ""`,
		"pass,":                   "empty",
		" pass":                   `no " pass"`,
		"explode":                 `no "explode"`,
		"pass:":                   "no arguments",
		"pass*0":                  "COUNT",
		"pass*+1":                 "COUNT",
		"pass*":                   "COUNT",
		"pass*1*2":                `no "pass*1"`,
		"pass*99999999999999999":  "COUNT",
		"status:":                 "CODE",
		"status:199":              "CODE",
		"status:600":              "CODE",
		"pass*01":                 "COUNT",
		"status:503:":             "RETRY_AFTER",
		"status:503:-1":           "RETRY_AFTER",
		"status:503:date+x":       "RETRY_AFTER",
		"html:":                   "STATUS",
		"html:204":                "STATUS",
		"redirect:":               "URL",
		"redirect:302:":           "URL",
		"redirect:304:/x":         "STATUS",
		"redirect:0307:/x":        "STATUS",
		"redirect:/a b":           "URL",
		"redirect:/é":             "URL",
		"redirect:http://[":       "URL",
		"delay:":                  "DURATION",
		"delay:0s":                "DURATION",
		"delay:-1s":               "DURATION",
		"drip:0s":                 "DURATION",
		"oauth:invalid_scope":     "oauth",
		"lifetime:1s":             "lifetime",
		"pass,pass,status:1,pass": `"status:1"`,
		"status:200,status:503:١": "RETRY_AFTER",
	} {
		got, err := parseSequence(route.Submission, text)
		if err == nil {
			t.Errorf("%q is taken for %+v", text, got)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q does not contain %q", text, err, want)
		}
		lists := func(kind string) bool { return strings.Contains(err.Error(), kind+", ") }
		if text != "repeat" && (!lists("close-before") || !lists("no-id") || lists("wrong-type")) {
			t.Errorf("%q: %q does not list the steps for submission", text, err)
		}
	}
}

func TestParseSequenceRefusesOAuth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"oauth": "ERROR_CODE", "oauth:": "ERROR_CODE", "oauth::401": "ERROR_CODE",
		"oauth:A": "ERROR_CODE", "oauth:a b": "ERROR_CODE", "oauth:a-b": "ERROR_CODE",
		"oauth:{": "ERROR_CODE", "oauth:/": "ERROR_CODE", "oauth:x:399": "STATUS from 400 to 599",
		"oauth:x:600": "STATUS", "oauth:x:": "STATUS", "lifetime:-1ns": "must not be negative",
	} {
		_, err := parseSequence(route.Token, text)
		want := strings.Replace(want, " from", " must be a whole number from", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// The usage describes each step, and says for which target alone it is.
func TestUsage(t *testing.T) {
	t.Parallel()
	for _, k := range Kinds() {
		about := k.About()
		if about == "" || strings.Contains(about, "\n  ") && !strings.Contains(about, "\n    ") {
			t.Errorf("%s is described as %q", k.form(), about)
		}
		for _, to := range targets {
			suits := !strings.Contains(about, " only)") || strings.Contains(about, "("+string(to)+" only)")
			if _, err := parseSequence(to, k.Example()); (err == nil) != suits {
				t.Errorf("%s for %s: %v, described as %q", k.Example(), to, err, about)
			}
		}
	}
	if n := strings.Count(Usage(), "\n        "); n != len(Kinds())+1 { // one has two lines
		t.Errorf("%d lines describe %d steps", n, len(Kinds()))
	}
}

func FuzzParseSequence(f *testing.F) {
	for _, seed := range []string{
		"pass*6,status:503:0,repeat", "status:429:date+10*3", "oauth:invalid_scope:401,lifetime:1h",
		"redirect:301:http://h:1/x", "redirect:12:34", "html:503,delay:1.5ms*2",
		"drip:2562047h47m16.854775807s", "no-id,bad-id", "repeat", ",,*", "status:200*0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, to := range targets {
			s, err := parseSequence(to, text)
			if err != nil {
				continue
			}
			printed := s.String()
			again, err := parseSequence(to, printed)
			if err != nil || !reflect.DeepEqual(again, s) {
				t.Errorf("%q is %+v and prints as %q, which is %+v, %v", text, s, printed, again, err)
			}
		}
	})
}
