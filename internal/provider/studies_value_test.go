package provider

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// asTerraform returns a value and its type in JSON, as Terraform receives them.
func asTerraform(t *testing.T, value tftypes.Value) (text, kind string) {
	t.Helper()
	encoded := must(tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, value))
	got := must(msgpack.Unmarshal(encoded.MsgPack, cty.DynamicPseudoType))
	return string(must(ctyjson.Marshal(got, got.Type()))),
		string(must(ctyjson.MarshalType(got.Type())))
}

// The studies in a body are decoded as by jsondecode, except arrays that become lists.
func TestStudiesValue(t *testing.T) {
	t.Parallel()
	const none = `["tuple",[]]`
	deepest := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	const beside = "{\"e\u0301\":1,\"\u00e9\":1e9999}" // would be refused in studies
	list := func(kind string) string { return `["list",` + kind + `]` }
	for _, test := range []struct{ body, kind string }{
		{"", none},
		{`null`, none},
		{`[]`, none},
		{`{"studies":null,"total":0}`, none},
		{`{"errors":["a"],"error":"b","studies":[]}`, none},
		{`{"errors":[],"error":null}`,
			`["tuple",[["object",{"error":"dynamic","errors":["tuple",[]]}]]]`},
		{`{"error":"a","id":0}`, list(`["object",{"error":"string","id":"number"}]`)},
		{`{"a":1}`, list(`["object",{"a":"number"}]`)},
		{`{}`, list(`["object",{}]`)},
		{`{"studies":{"a":1}}`, list(`["object",{"studies":["object",{"a":"number"}]}]`)},
		{` {"\u0073tudies" : [ true ] , "next":2} `, list(`"bool"`)},
		{`{"studies":[1],"studies":["x"]}`, list(`"string"`)},
		{`{"studies":[],"x":[` + deepest + "," + beside + `]}`, none},

		{`[{"a":1,"b":"x"},{"b":"y","a":2}]`, list(`["object",{"a":"number","b":"string"}]`)},
		{`[{"a":1},{"b":1}]`, `["tuple",[["object",{"a":"number"}],["object",{"b":"number"}]]]`},
		{`[[1],[1,2]]`, list(list(`"number"`))},
		{`[[1],[]]`, `["tuple",[["list","number"],["tuple",[]]]]`},
		{"[" + deepest + "]", strings.Repeat(`["list",`, 100) + none + strings.Repeat("]", 100)},
		{`[[null],[null]]`, `["tuple",[["tuple",["dynamic"]],["tuple",["dynamic"]]]]`},
		{`[null,null]`, `["tuple",["dynamic","dynamic"]]`},
		{`[{"a":null},{"a":null}]`, `["tuple",[["object",{"a":"dynamic"}],["object",{"a":"dynamic"}]]]`},

		{`[9007199254740993,-0.1,1e-30,2.50,1e3]`, list(`"number"`)},
		{`[1E+400]`, list(`"number"`)},
		{`["\ud800\u00e9[{\"\\",""]`, list(`"string"`)},
		{`[{"a":[1],"a":["x",""]}]`, list(`["object",{"a":["list","string"]}]`)},
	} {
		value, err := studiesValue([]byte(test.body))
		if err != nil {
			t.Errorf("%.80s: %v", test.body, err)
			continue
		}
		text, kind := asTerraform(t, value)
		if want := jsonDecoded(t, []byte(test.body)); kind != test.kind || text != want {
			t.Errorf("%.80s: got %s, %s, want %s, %s", test.body, kind, text, test.kind, want)
		}
	}
}

// array returns a JSON array of n equal elements.
func array(n int, element string) string {
	return "[" + strings.Repeat(element+",", n-1) + element + "]"
}

// Invalid and oversized responses are rejected before their values are converted.
func TestStudiesValue_refused(t *testing.T) {
	t.Parallel()
	const (
		tooDeep   = "nested deeper than 100 levels"
		notNumber = "a number has an exponent beyond ±4096, or more than 4096 digits: "
		tooLarge  = "too large for Terraform's state: the studies have more than 250,000 values"
		notNFC    = "the name of a member is not in Unicode's normalization form NFC: "
	)
	nested := func(depth int, inside string) string {
		return strings.Repeat("[", depth) + inside + strings.Repeat("]", depth)
	}
	for body, want := range map[string]string{
		`"[]"`:              "a JSON string, number or bool where an array or an object was expected",
		`[1`:                "not JSON: unexpected end of JSON input",
		`{"studies":[1]} 2`: "not JSON: invalid character",
		`<html>`:            "not JSON: invalid character '<'",

		"[\"\xff\"]": "not valid UTF-8",

		nested(101, "0"):                            tooDeep,
		strings.Repeat("[", 1<<20):                  tooDeep,
		strings.Repeat(`{"a":`, 1<<20):              tooDeep,
		array(100, "1e-4096"):                       tooLarge,
		`[{"a":[0,1e4097]}]`:                        notNumber + "1e4097",
		`[1e99999999999999999999999]`:               notNumber,
		`[1` + strings.Repeat("0", 4096) + `]`:      notNumber,
		"{\"studies\":[0,{\"a\":{\"e\u0301\":1}}]}": notNFC + "\"e\u0301\"",
		"[{\"\u00e9\":1,\"e\u0301\" \t\n:1}]":       notNFC,
	} {
		if _, err := studiesValue([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got %.200v, want %q", body, err, want)
		}
	}
}

// The studies may have 250,000 values, arrays and objects included. Other members of the response
// do not count.
func TestStudiesValue_count(t *testing.T) {
	t.Parallel()
	const four = `{"a":[0,null]}`
	for body, accepted := range map[string]bool{
		`{"studies":` + array(62_500, four) + `,"x":[1,2]}`:                    true,
		`{"studies":` + strings.TrimSuffix(array(62_500, four), "]") + `,{}]}`: false,
		`{"one":` + array(249_998, `""`) + "}":                                 true,
		`{"one":` + array(249_999, `""`) + "}":                                 false,
	} {
		_, err := studiesValue([]byte(body))
		if accepted && err != nil || !accepted && (err == nil || !strings.HasSuffix(err.Error(),
			"too large for Terraform's state: the studies have more than 250,000 values")) {
			t.Errorf("%.40s, %d bytes: got %v, want it accepted: %t", body, len(body), err, accepted)
		}
	}
}

// refusal matches the errors that reject valid JSON.
var refusal = regexp.MustCompile(
	`^(its body is|it reports only|the response is|a number has|the name of a member is) `)

// FuzzStudiesValue compares the conversion with encoding/json, which finds the studies, and with
// jsondecode.
func FuzzStudiesValue(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"studies":[{"id":9007199254740993}]}`, `{"a":{"b":[null]}}`,
		`[1.50,-0,1e10,null,true,"x",[{}]]`, "{\"e\u0301\":1}", `["\ud800"]`, `{"studies":3}`,
		`{"Studies":[1],"studies":null,"x":[{}]}`, `{"studies":[1]} 2`, `{"studies":[1]`,
		`{"studies":[1],"studies":[{"id":9007199254740993,"id":2}],"total":3}`,
		`[0,-0.1,123456789012345678901234567890.000000000123456789]`, `[[[1],[2,3]],[[]]]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		value, err := studiesValue(body)
		if err != nil {
			if json.Valid(body) && !refusal.MatchString(err.Error()) {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if got, _ := asTerraform(t, value); got != jsonDecoded(t, body) {
			t.Errorf("%q: got %s, want %s", body, got, jsonDecoded(t, body))
		}
	})
}

// jsonDecoded returns the result of jsondecode for the studies in a body, as Terraform receives it,
// in JSON. It finds the studies independently of decodeStudies.
func jsonDecoded(t *testing.T, body []byte) string {
	t.Helper()
	var decoded any
	if len(bytes.TrimSpace(body)) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&decoded); err != nil {
			t.Fatalf("accepted %q, which encoding/json rejects: %v", body, err)
		}
	}
	if object, ok := decoded.(map[string]any); ok {
		member, found := object["studies"]
		if _, isArray := member.([]any); isArray || found && member == nil {
			decoded = member
		} else {
			decoded = []any{object}
		}
	}
	if decoded == nil {
		decoded = []any{}
	}
	text := must(json.Marshal(decoded))
	value := must(ctyjson.Unmarshal(text, must(ctyjson.ImpliedType(text))))
	sent := must(msgpack.Marshal(value, cty.DynamicPseudoType)) // where -0 becomes 0
	received := must(msgpack.Unmarshal(sent, cty.DynamicPseudoType))
	return string(must(ctyjson.Marshal(received, received.Type())))
}
