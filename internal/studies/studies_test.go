package studies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/text/unicode/norm"
)

func TestFromJSON_errors(t *testing.T) {
	t.Parallel()
	const tooMany = "more than 1,000,000 values, each counted once for every level of nesting."
	zeros := strings.Repeat("0", 200)
	nested := func(depth int) string {
		return strings.Repeat("[", depth) + strings.Repeat("]", depth)
	}
	for body, want := range map[string]string{
		`"text"`:                         "a JSON string where an array or an object was expected",
		`12`:                             "a JSON number",
		`true`:                           "a JSON bool",
		`[1`:                             "JSON that breaks off",
		`[1] [2]`:                        "something follows the first value",
		`<html>`:                         "not JSON: invalid character '<'",
		"[\"\xff\"]":                     "not valid UTF-8",
		"[{\"e\u0301\":1,\"\u00e9\":2}]": "studies[0]: two members have the name \"é\"",
		`[{"a":[0,1e4097]}]`:             `studies[0]["a"][1]: a number with the exponent 4097`,
		`[1e-4097]`:                      "studies[0]: a number with the exponent -4097",
		`[1e99999999999999999999999]`:    "the exponent 99999999999999999999…",
		`[` + strings.Repeat("7", 155) + `]`: "a number with 155 significant digits, more than a Terraform number holds (154 digits, exponents to ±4096). " +
			"response_json cannot be read either",
		`[0.` + strings.Repeat("7", 154) + `]`:         "",
		`[0.00` + strings.Repeat("9", 154) + `]`:       "whose 154 significant digits do not fit",
		nested(102):                                    "nested deeper than 100 levels",
		nested(101):                                    "",
		`[` + strings.Repeat("0,", 1_000_001) + `0]`:   tooMany,
		`[1` + strings.Repeat("0", 5000) + `]`:         "written with 5001 characters",
		`[1` + strings.Repeat("0", 300) + `]`:          "",
		`{"studies":{"not":"a list"}}`:                 "",
		`{"studies":[1],"x"`:                           "JSON that breaks off",
		`{"studies":[1]} 2`:                            "something follows the first value",
		`{"studies":[1],"x":y}`:                        "not JSON: invalid character 'y'",
		"{\"studies\":[1],\"x\":\"\xff\"}":             "not valid UTF-8",
		`{"x":` + nested(102) + `}`:                    "nested deeper than 100 levels",
		`{"studies":` + nested(102) + `}`:              "nested deeper than 100 levels",
		`{"studies":` + nested(101) + `}`:              "",
		`{"studies":[],"x":` + nested(101) + `}`:       "",
		"{\"studies\":[{\"e\u0301\":1,\"\u00e9\":2}]}": "studies[0]: two members have the name \"é\"",
		"{\"studies\":[],\"e\u0301\":1,\"\u00e9\":2}":  "",
		`[-0, -0.0, 1E+5, 1e4096, 1e-4096]`:            "",
		`[9` + zeros + `.` + zeros + `1e3]`:            "significant digits",
	} {
		_, _, err := FromJSON(t.Context(), []byte(body))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got %v, want %q", body, err, want)
		}
	}
}

func TestFromJSON_type(t *testing.T) {
	t.Parallel()
	const list, tuple = `["list",%s]`, `["tuple",[%s]]`
	for body, want := range map[string]string{
		``:                                  fmt.Sprintf(tuple, ``),
		`[]`:                                fmt.Sprintf(tuple, ``),
		`{"studies":null}`:                  fmt.Sprintf(tuple, ``),
		`{"a":1}`:                           fmt.Sprintf(list, `["object",{"a":"number"}]`),
		`[{"a":1,"b":"x"},{"b":"y","a":2}]`: fmt.Sprintf(list, `["object",{"a":"number","b":"string"}]`),
		`[{"a":[1,"x"]},{"a":[2,"y"]}]`:     fmt.Sprintf(list, `["object",{"a":["tuple",["number","string"]]}]`),
		`["a","b"]`:                         fmt.Sprintf(list, `"string"`),
		`[{},{}]`:                           fmt.Sprintf(list, `["object",{}]`),
		`[{"a":null},{"a":null}]`:           fmt.Sprintf(list, `["object",{"a":"dynamic"}]`),
		`[{"a":null},{"a":"x"}]`:            fmt.Sprintf(tuple, `["object",{"a":"dynamic"}],["object",{"a":"string"}]`),
		`[{"a":1},{"a":"x"}]`:               fmt.Sprintf(tuple, `["object",{"a":"number"}],["object",{"a":"string"}]`),
		`{"Studies":[1]}`:                   fmt.Sprintf(list, `["object",{"Studies":["tuple",["number"]]}]`),
		`{"studies":[1],"studies":["x"]}`:   fmt.Sprintf(list, `"string"`),
		`{"\u0073tudies" : [ true ] }`:      fmt.Sprintf(list, `"bool"`),
		`[{"a":1},{"b":1}]`:                 fmt.Sprintf(tuple, `["object",{"a":"number"}],["object",{"b":"number"}]`),
		`[[1],[1,2]]`:                       fmt.Sprintf(tuple, `["tuple",["number"]],["tuple",["number","number"]]`),
		`["a",null]`:                        fmt.Sprintf(tuple, `"string","dynamic"`),
		`[null,null]`:                       fmt.Sprintf(tuple, `"dynamic","dynamic"`),
	} {
		studies, _, err := FromJSON(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := studies.Type().MarshalJSON() //nolint:staticcheck // as Terraform gets it
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", body, got, err, want)
		}
	}
}

// FuzzFromJSON holds the conversion against encoding/json. The digits that go in come out, as
// Terraform writes them.
func FuzzFromJSON(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"studies":[{"id":9007199254740993}]}`, `[1.50,-0,1e10,null,true,"x",[{}]]`, `{"a":{"b":[null]}}`,
		"{\"e\u0301\":1}", `["\ud800"]`, `{"studies":3}`, `{"Studies":[1],"studies":null,"x":[{}]}`,
		`{"studies":[1],"studies":[{"id":9007199254740993,"id":2}],"total":3}`, `{"studies":[1]} 2`, `{"studies":[1]`,
		`[0,-0.1,123456789012345678901234567890.000000000123456789]`,
		"[" + strings.Repeat("1234567890", 15) + "123,0." + strings.Repeat("9876543210", 15) + "123]",
		"[" + strings.Repeat("9", 154) + "]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		studies, _, err := FromJSON(t.Context(), body)
		if err != nil {
			if !json.Valid(body) || strings.Contains(err.Error(), "digits") || strings.Contains(err.Error(), "exponent") ||
				strings.Contains(err.Error(), "nested deeper") || strings.Contains(err.Error(), "NFC") ||
				strings.Contains(err.Error(), "UTF-8") || strings.Contains(err.Error(), "was expected") {
				return
			}
			t.Fatalf("%q: %v", body, err)
		}
		var want any
		if len(bytes.TrimSpace(body)) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(body))
			decoder.UseNumber()
			if err := decoder.Decode(&want); err != nil {
				t.Fatalf("accepted %q, which encoding/json refuses: %v", body, err)
			}
		}
		if got, want := plain(studies), normalised(expected(want)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %#v, want %#v", body, got, want)
		}
	})
}

// expected is the list of studies, written another way.
func expected(value any) any {
	switch v := value.(type) {
	case nil:
		return []any{}
	case map[string]any:
		member, there := v["studies"]
		if list, ok := member.([]any); ok {
			return list
		}
		if there && member == nil {
			return []any{}
		}
		return []any{v}
	}
	return value
}

// normalised has names in NFC and numbers as exact fractions.
func normalised(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normalised(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name := range v {
			out[norm.NFC.String(name)] = normalised(v[name])
		}
		return out
	case json.Number:
		return fraction(v.String())
	}
	return value
}

func fraction(digits string) string {
	r, ok := new(big.Rat).SetString(digits)
	if !ok {
		return "not a number: " + digits
	}
	return r.RatString()
}

// plain is a Terraform value as encoding/json would decode it.
func plain(value tftypes.Value) any {
	var elements []tftypes.Value
	var members map[string]tftypes.Value
	var number *big.Float
	var text string
	var truth bool
	switch {
	case value.IsNull():
		return nil
	case value.As(&elements) == nil:
		out := []any{}
		for _, element := range elements {
			out = append(out, plain(element))
		}
		return out
	case value.As(&members) == nil:
		out := map[string]any{}
		for name, member := range members {
			out[name] = plain(member)
		}
		return out
	case value.As(&number) == nil:
		return fraction(number.Text('f', -1))
	case value.As(&text) == nil:
		return text
	case value.As(&truth) == nil:
		return truth
	}
	return value
}

func BenchmarkFromJSON(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("studies=%d", n), func(b *testing.B) {
			study := `{"name":"ATLAS","id":9007199254740993,"phase":"III",` +
				`"sites":[{"country":"CH","open":true}],"sponsor":null}`
			body := []byte("[" + strings.Repeat(study+",", n-1) + study + "]")
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := FromJSON(b.Context(), body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
