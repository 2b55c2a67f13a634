package studies

import (
	"errors"
	"strings"
	"testing"
)

// Each value counts once for every level of nesting, and only what is converted counts.
func TestFromJSON_limit(t *testing.T) {
	t.Parallel()
	for body, fits := range map[string]bool{
		`[1,2,3,4]`:               true,
		`[1,2,3,4,5]`:             false,
		`[[1],2]`:                 true,
		`[[1,2]]`:                 false,
		`[{},{},{},{}]`:           true,
		`[{},{},{},{},{}]`:        false,
		`["\",,,,,\"[\"\\",2]`:    true,
		`{"a":1}`:                 true,
		`{"a":1,"b":2}`:           false,
		`{"studies":{"a":1}}`:     false,
		`{"studies":[1,2,3,4]}`:   true,
		`{"studies":[1,2,3,4,5]}`: false,
		`{"studies":[{"id":1}],"facets":[1,2,3,4]}`:                                      true,
		`{"facets":[[[1]],{"a":2}],"studies":null}`:                                      true,
		`{"studies":[],"x":` + strings.Repeat("[", 102) + strings.Repeat("]", 102) + "}": true,
	} {
		_, _, err := fromJSON(t.Context(), []byte(body), 4)
		if fits && err != nil || !fits && !errors.Is(err, errTooMany) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// What is refused for its size is not decoded first: 16 MB would take more than a gigabyte.
//
//nolint:paralleltest // AllocsPerRun counts those of other tests too
func TestFromJSON_tooLargeToDecode(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat(`{"":`, depth) + "1" + strings.Repeat("}", depth) + ","
	}
	fill := func(before, text, after string) []byte {
		return []byte(before + strings.Repeat(text, 1<<18/len(text)) + after)
	}
	for name, body := range map[string][]byte{
		"numbers":       fill("[", "0,", ""),
		"empty objects": fill("[", "{},", ""),
		"nested":        fill("[", nested(90), ""),
		"member":        fill(`{"studies":[`, nested(90), "0]}"),
		"only study":    fill(`{"x":[`, nested(90), "0]}"),
		"too deep":      fill("[", nested(9000), ""),
		"in lists":      []byte(strings.Repeat("[", 9) + strings.Repeat("0,", 2000)),
		"lists":         fill("[", strings.Repeat("[", 90)+strings.Repeat("]", 90)+",", ""),
		"brackets":      fill("", "[", ""),
		"strings":       fill("[", `"\"",`, ""),
	} {
		allocations := testing.AllocsPerRun(1, func() {
			_, _, err := fromJSON(t.Context(), body, 10_000)
			deep := strings.Contains(name, "deep") || name == "brackets"
			if deep && !errors.Is(err, errTooDeep) || !deep && !errors.Is(err, errTooMany) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if allocations > 100 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}
