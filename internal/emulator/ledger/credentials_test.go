package ledger

import "testing"

const issued = "emu_ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func TestMask(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                           "",
		"s3cret & sound":             "(hidden)",
		"a s3cret & sound b":         "a (hidden) b",
		"x=s3cret+%26+sound":         "x=(hidden)",
		"/s3cret%20&%20sound/":       "/(hidden)/",
		`"s3cret \u0026 sound"`:      `"(hidden)"`,
		"Bearer " + issued:           "Bearer (hidden)",
		issued + issued:              "(hidden)(hidden)",
		"emu_abc s3cret sound":       "emu_abc s3cret sound",
		`{"client_secret":"canary"}`: `{"client_secret":"canary"}`,
	} {
		if got := mask.Text(text); got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
	short := NewMask("demo")
	if short.Text("demo") != "(hidden)" || short.Text("a demo") != "a demo" {
		t.Error("a short secret is a part of other words")
	}
}

// Of a body the names stay, which may be misspelt, and the values that cannot be credentials.
func TestMaskBody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"prioritty":"HIGH"}`:                                    `{"prioritty":"HIGH"}`,
		`{"a":"s3cret & sound","b":"` + issued + `"}`:             `{"a":"(hidden)","b":"(hidden)"}`,
		`{"client_secret" : "can\"ary","subject":"token: x"}`:     `{"client_secret" : "(hidden)","subject":"token: x"}`,
		`{"fields":{"Api-Key":"canary","version":"1"}}`:           `{"fields":{"Api-Key":"(hidden)","version":"1"}}`,
		`{"tokens":["canary","canary"],"pass":1,"password":42}`:   `{"tokens":"(hidden)","pass":1,"password":"(hidden)"}`,
		`{"auth":{"x":"canary"},"monkey":"y"}`:                    `{"auth":"(hidden)","monkey":"y"}`,
		`{"session":"canary`:                                      `{"session":"(hidden)"`,
		"client_id=a&client_secret=canary&scope=b":                "client_id=a&client_secret=(hidden)&scope=b",
		"access_token=canary":                                     "access_token=(hidden)",
		"\xff{":                                                   "\uFFFD{",
		`{"channels":[{"token":"canary"}],"x":"the token","y":1}`: `{"channels":[{"token":"(hidden)"}],"x":"the token","y":1}`,
	} {
		if got := mask.Body([]byte(body)); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
}
