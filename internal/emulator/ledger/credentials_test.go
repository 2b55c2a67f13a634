package ledger

import (
	"strings"
	"testing"
)

const issued = "emu_ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func TestMask(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "",
		"s3cret & sound":                         "(hidden)",
		"a s3cret & sound b":                     "a (hidden) b",
		"x=s3cret+%26+sound":                     "x=(hidden)",
		"/s3cret%20&%20sound/":                   "/(hidden)/",
		`"s3cret \u0026 sound"`:                  `"(hidden)"`,
		"Bearer " + issued:                       "Bearer (hidden)",
		"/emu%5F" + issued[4:]:                   "/(hidden)",
		"a=s3cret%20%26%20soun%64":               "a=(hidden)",
		"100%":                                   "100%",
		"/a%20b%0A/" + issued:                    "/a%20b%0A/(hidden)",
		"https://x/?a=1&access_token=canary&b=2": "https://x/?a=1&access_token=(hidden)&b=2",
		issued + issued:                          "(hidden)(hidden)",
		"emu_abc s3cret sound":                   "emu_abc s3cret sound",
		`{"client_secret":"canary"}`:             `{"client_secret":"canary"}`,
	} {
		if got := mask.Text(text); got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
	short := NewMask("id", "demo")
	if short.Text("demo") != "(hidden)" || short.Text("a demo") != "a demo" {
		t.Error("a short secret is a part of other words")
	}
}

// Of a body the names stay, which may be misspelt, and the values that cannot be credentials.
func TestMaskBody(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 9000) + `"canary"` + strings.Repeat("]", 9000)
	for body, want := range map[string]string{
		`{"prioritty":"HIGH"}`:                                   `{"prioritty":"HIGH"}`,
		` { "a" : 1.50, "a":[ true , null ],"b":"<" } `:          ` { "a" : 1.50, "a":[ true , null ],"b":"<" } `,
		`{"a":"s3cret \u0026 s\u006fund","b":"x` + issued + `"}`: `{"a":"(hidden)","b":"x(hidden)"}`,
		`{"client_secret" : "can\"ary","subject":"my token: x"}`: `{"client_secret" : "(hidden)","subject":"my token: x"}`,
		`{"fields":{"Api-Key":"canary","version":"1"}}`:          `{"fields":{"Api-Key":"(hidden)","version":"1"}}`,
		`{"tokens":["canary",["canary"]],"pass":1,"pwd":42}`:     `{"tokens":"(hidden)","pass":1,"pwd":"(hidden)"}`,
		`{"auth":{"x":{"y":"}"},"z":"canary"},"monkey":"y"}`:     `{"auth":"(hidden)","monkey":"y"}`,
		`{"pa\u0073sword":"canary"}`:                             `{"pa\u0073sword":"(hidden)"}`,
		`{"payload":"{\"password\":\"canary\",\"a\":1}"}`:        `{"payload":"{\"password\":\"(hidden)\",\"a\":1}"}`,
		`[[{"privateKey":"canary"}],{"credentials":[]}]`:         `[[{"privateKey":"(hidden)"}],{"credentials":"(hidden)"}]`,
		`{"author":"Ann","authority":"FDA","tokenizer":"bpe","secretary":"Bob"}`: `{"author":"Ann",` +
			`"authority":"FDA","tokenizer":"bpe","secretary":"Bob"}`,
		`"` + issued + `"`:                         `"(hidden)"`,
		`{"session":"canary`:                       `{"session":(hidden)`,
		"client_id=a&client_secret=canary&scope=b": "client_id=a&client_secret=(hidden)",
		"{'password': 'canary'}":                   "{'password':(hidden)",
		"id=ZGVtbzpzM2NyZXQgJiBzb3VuZA==":          "id=(hidden)",
		`{"channels":[{"type":"slack","subject":"Authentication service 2.1 is live"}],"priorty":"HIGH",}`: `{` +
			`"channels":[{"type":"slack","subject":"Authentication service 2.1 is live"}],"priorty":"HIGH",}`,
		"subject: the session has ended\nclient_secret: canary": "subject: the session has ended\nclient_secret:(hidden)",
		"name=\"client_secret\"\r\n\r\ncanary":                  "name=\"client_secret\"\r\n\r\n(hidden)",
		"<token>canary</token>":                                 "<token>(hidden)",
		`{"accountKey":"canary","secretanswer":"canary","bearer":"canary","jwt":1,"passphrase":2}`: `{"accountKey":` +
			`"(hidden)","secretanswer":"(hidden)","bearer":"(hidden)","jwt":"(hidden)","passphrase":"(hidden)"}`,
		`{"a":"client_id=a&client_secret=canary"}`:                           `{"a":"client_id=a\u0026client_secret=(hidden)"}`,
		`{"` + issued + `":1,"a":"eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.x-_"}`: `{"(hidden)":1,"a":"(hidden)"}`,
		"x=s3cret+%26+sound": "x=(hidden)",
		"\xff{":              "\uFFFD{",
		"":                   "",
		deep:                 strings.Repeat("[", 17) + `"(hidden)"` + strings.Repeat("]", 17),
	} {
		if got := mask.Body([]byte(body)); got != want {
			t.Errorf("%.200s\n got %.200s\nwant %.200s", body, got, want)
		}
	}
}
