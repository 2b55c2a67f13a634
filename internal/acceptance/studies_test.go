package acceptance

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// Whether studies are a list or a tuple, an expression returns the same as for the tuple from
// jsondecode.
func TestStudiesInExpressionsAreAsDecoded(t *testing.T) {
	t.Parallel()
	ofAny := []string{
		`S`, `S[*]`, `S[*].name`, `length(S)`, `S == null`, `true ? S : []`, `false ? S : []`,
		`length(S) == 0 ? "none" : "some"`, `length(S) == 0 ? null : S`,
		`[for s in S : s.name]`, `[for i, s in S : i]`, `{ for s in S : s.id => s }`,
		`[for s in S : s.name] == ["a", "b"]`, `[for s in S : s] == []`,
		`one([for s in S : s.id if s.id == 1])`, `[for s in S : merge(s, { seen = true })]`,
		`[for s in S : coalesce(s.sponsor, 0)]`, `[for s in S : s.sponsor == null ? 0 : s.sponsor]`,
		`[for s in S : try(s.site.city, "none")]`, `try(S[9].name, "none")`, `try(S[0].no, "none")`,
		`flatten([S, [{ name = 1 }]])`, `concat(S, S)`, `concat(S, [])`, `reverse(S)`,
		`contains(S[*].name, "b")`, `join(",", S[*].name)`, `toset(S[*].name)`, `tolist(S[*].name)`,
	}
	ofTwo := slices.Concat(ofAny, []string{
		`S[0]`, `S.1.name`, `S[length(S) - 1].name`, `element(S, 3).name`,
		`one(slice(S, 0, 1)).name`,
		`S[0].sponsor`, `S[0].sponsor == null`, `S[0].sponsor == S[1].sponsor`, `S[0] == S[1]`,
		`coalesce(S[0].sponsor, "none")`, `S[0].sponsor == null ? false : S[0].sponsor`,
		`keys(S[0])`, `lookup(S[0], "sponsor", "none")`, `zipmap([1, 2], S)`, `coalescelist(S, [1])`,
	})
	ofNested := slices.Concat(ofTwo, []string{
		`S[0].site.tags`, `length(S[1].site.grid)`, `S[*].site.tags[0]`, `S[0].site.grid[1][1]`,
		`[for s in S : [for row in s.site.grid : sum(row)]]`, `flatten(S[*].site.grid)`,
		`S[0].site.tags[0] == "t"`, `join(",", S[0].site.tags)`, `concat(S[0].site.tags, ["w"])`,
	})
	catalogue := []json.RawMessage{}
	var expressions strings.Builder
	for _, test := range []struct {
		name        string
		list        bool // or a tuple
		studies     []string
		expressions []string
	}{
		{"none", false, nil, append(ofAny, `S == []`)},
		{"same types", true, []string{
			`"id": 1, "sponsor": "x", "site": {"city": "Bern"}`,
			`"id": 2, "sponsor": "y", "site": {"city": "Chur"}`,
		}, ofTwo},
		{"null in all", false, []string{
			`"id": 1, "sponsor": null, "site": {"city": null}`,
			`"id": 2, "sponsor": null, "site": {"city": null}`,
		}, ofTwo},
		{"null and a string", false, []string{
			`"id": 1, "sponsor": null, "site": {"city": null}`,
			`"id": 2, "sponsor": "y", "site": {"city": "Chur"}`,
		}, ofTwo},
		{"lists in all", true, []string{
			`"id": 1, "sponsor": "x", "site": {"tags": ["t", "u"], "grid": [[1], [2, 3]]}`,
			`"id": 2, "sponsor": "y", "site": {"tags": ["v"], "grid": [[4, 5]]}`,
		}, ofNested},
		{"other types", false, []string{
			`"id": 1, "sponsor": "x", "site": {}`, `"id": "2", "sponsor": "y", "site": {}`,
		}, ofTwo},
	} {
		for _, study := range test.studies {
			catalogue = append(catalogue,
				json.RawMessage(fmt.Sprintf(`{"name": %q, %s}`, test.name, study)))
		}
		ours := fmt.Sprintf("data.notification_studies.found[%q].studies", test.name)
		tuple := fmt.Sprintf("jsondecode(data.notification_studies.found[%q].response_json)", test.name)
		// A list equals no tuple.
		fmt.Fprintf(&expressions, "%q = [%s != %s, %t]\n", test.name, ours, tuple, test.list)
		for _, e := range test.expressions {
			of := func(value string) string {
				return regexp.MustCompile(`\bS\b`).ReplaceAllLiteralString(e, value)
			}
			fmt.Fprintf(&expressions, "%q = [jsonencode(%s), jsonencode(%s)]\n", test.name+": "+e,
				of(ours), of(tuple))
		}
	}
	text, err := json.Marshal(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t, func(c *emulator.Config) {
		c.Catalogues = map[string][]byte{"studies": text}
	})
	w.write(t, fmt.Sprintf(`
data "notification_studies" "found" {
  for_each = toset([
    "none", "same types", "null in all", "null and a string", "lists in all", "other types",
  ])
  name = each.key
}
output "differ" {
  value = { for e, both in {
    %s
  } : e => both if both[0] != both[1] }
}
`, expressions.String()))
	w.apply(t)
	var outputs struct {
		Differ struct{ Value map[string]any }
	}
	read(t, w.must(t, "output", "-json"), &outputs)
	if differ := outputs.Differ.Value; len(differ) > 0 {
		t.Errorf("differ: %v", differ)
	}
	w.settled(t)
}
