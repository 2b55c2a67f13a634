package ledger

import "testing"

const issued = "emu_ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func TestMask(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 "",
		"s3cret & sound":                   "(hidden)",
		"a s3cret & sound b":               "a (hidden) b",
		"x=s3cret+%26+sound":               "x=(hidden)",
		"/s3cret%20&%20sound/":             "/(hidden)/",
		`"s3cret \u0026 sound"`:            `"(hidden)"`,
		`x=%733cret+%26%20sound`:           "x=(hidden)",
		`"\u0073\u0033cret & sound"`:       `"(hidden)"`,
		`{"a":"s3cret & sound","b":"s3"}`:  `{"a":"(hidden)","b":"s3"}`,
		"Bearer " + issued:                 "Bearer (hidden)",
		"/a%20b%0A/emu%5F" + issued[4:]:    "/a%20b%0A/(hidden)",
		"/emu%5f" + issued[4:] + "x":       "/(hidden)x",
		`{"` + issued + `":1}`:             `{"(hidden)":1}`,
		issued + issued:                    "(hidden)(hidden)",
		"emu_abc s3cret sound 100%":        "emu_abc s3cret sound 100%",
		"x eyJhbGciOi.eyJzdWIi.x-_ y":      "x (hidden) y",
		"eyJhbGciOi.eyJzdWIi.":             "(hidden)",
		`{"token":"ours?","prioritty":1}`:  `{"token":"ours?","prioritty":1}`,
		" { \"a\" : 1.50, \"b\":\"<\" }\n": " { \"a\" : 1.50, \"b\":\"<\" }\n",
	} {
		if got := mask.Text(text); got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

// Each character may be escaped or not, in the ways of URLs and JSON, and in either case.
func TestMaskOfASecretToEscape(t *testing.T) {
	t.Parallel()
	m := NewMask("a\"b\\c<d/e%\néK🚀")
	for _, text := range []string{
		"a\"b\\c<d/e%\néK🚀", "a%22b%5Cc%3Cd%2Fe%25%0A%C3%A9K%F0%9F%9A%80",
		"a%22b%5cc%3cd%2fe%25%0a%c3%a9%4B%f0%9f%9a%80", `a\"b\\c\u003cd\/e%\néK🚀`,
		`a\"b\\c<d/e\u0025\u000A\u00E9\u004b\ud83d\uDE80`,
	} {
		if got := m.Text("x" + text + "y"); got != "x(hidden)y" {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

func TestMaskOfAShortSecret(t *testing.T) {
	t.Parallel()
	for secret, want := range map[string]string{"1234567": "a 1234567", "12345678": "a (hidden)"} {
		m := NewMask(secret)
		if alone, got := m.Text(secret), m.Text("a "+secret); alone != "(hidden)" || got != want {
			t.Errorf("got %s and %s", alone, got)
		}
	}
}
