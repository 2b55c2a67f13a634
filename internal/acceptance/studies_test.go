package acceptance

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// answerLookups starts a service for the workspace, which answers a lookup of a name with its body.
func (w *workspace) answerLookups(t *testing.T, bodies map[string]string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body := `{"access_token":"t","token_type":"Bearer"}`
		if r.Method == http.MethodGet {
			rw.Header().Set("Content-Type", "text/plain")
			body = bodies[r.URL.Query().Get("name")]
		}
		_, _ = io.WriteString(rw, body)
	}))
	t.Cleanup(server.Close)
	w.setenv("NOTIFICATION_AUTH_URL", server.URL)
	w.setenv("NOTIFICATION_BASE_URL", server.URL)
}

// Whatever shape an answer has, Terraform takes it, and what an expression gives does not depend on
// whether the studies are a list: it is what the same expression makes of the tuple that jsondecode
// returns.
func TestStudiesInExpressions(t *testing.T) {
	t.Parallel()
	ofAny := []string{
		`S`, `S[*]`, `S[*].name`, `length(S)`, `S == null`, `true ? S : []`, `false ? S : []`,
		`length(S) == 0 ? "none" : "some"`, `length(S) == 0 ? null : S`,
		`[for s in S : s.name]`, `[for i, s in S : i]`, `{ for s in S : s.name => s }`,
		`[for s in S : s.name] == ["a", "b"]`, `[for s in S : s] == []`,
		`one([for s in S : s.id if s.name == "a"])`, `[for s in S : merge(s, { seen = true })]`,
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
		`keys(S[0])`, `lookup(S[0], "sponsor", "none")`, `zipmap(S[*].name, S)`,
		`coalescelist(S, [1])`,
	})
	whole := []string{`S`}
	bodies, lists := map[string]string{}, map[string]bool{} // whether there is a list at any depth
	differ, isList := new(strings.Builder), new(strings.Builder)
	for name, test := range map[string]struct {
		body        string
		studies     string // in JSON, unless the body holds nothing else
		list        bool
		expressions []string
	}{
		"none": {`[]`, "", false, append(ofAny, `S == []`)},
		"same types": {`[
			{"name": "a", "id": 1, "sponsor": "x", "site": {"city": "Bern"}},
			{"name": "b", "id": 2, "sponsor": "y", "site": {"city": "Chur"}}
		]`, "", true, ofTwo},
		"null in all": {`[
			{"name": "a", "id": 1, "sponsor": null, "site": {"city": null}},
			{"name": "b", "id": 2, "sponsor": null, "site": {"city": null}}
		]`, "", false, ofTwo},
		"lists in all": {`[
			{"name": "a", "id": 1, "sponsor": "x", "site": {"tags": ["t", "u"], "grid": [[1], [2, 3]]}},
			{"name": "b", "id": 2, "sponsor": "y", "site": {"tags": ["v"], "grid": [[4, 5]]}}
		]`, "", true, slices.Concat(ofTwo, []string{
			`S[0].site.tags`, `length(S[1].site.grid)`, `S[*].site.tags[0]`, `S[0].site.grid[1][1]`,
			`[for s in S : [for row in s.site.grid : sum(row)]]`, `flatten(S[*].site.grid)`,
			`S[0].site.tags[0] == "t"`, `join(",", S[0].site.tags)`, `concat(S[0].site.tags, ["w"])`,
		})},
		"lists of other lengths": {`[[], [1], [2, 3]]`, "", true, slices.Concat(whole, []string{
			`[for s in S : length(s)]`, `flatten(S)`, `S[2][1]`, `try(S[0][0], "none")`,
		})},
		"null beside a string": {`[
			{"name": "a", "id": 1, "sponsor": null, "site": {"city": null}},
			{"name": "b", "id": 2, "sponsor": "y", "site": {"city": "Chur"}}
		]`, "", false, ofTwo},
		"other types": {`[
			{"name": "a", "id": 1, "sponsor": "x", "site": {}},
			{"name": "b", "id": "2", "sponsor": "y", "site": {}}
		]`, "", false, ofTwo},
		"wrapped": {
			`{"studies":[{"a":1},{"b":"x"}],"total":2}`, `[{"a":1},{"b":"x"}]`, false, whole,
		},
		"one":   {`{"a":[null,[null]],"":{}}`, `[{"a":[null,[null]],"":{}}]`, false, whole},
		"mixed": {`[1,"x",null,true,[],{}]`, "", false, whole},
		"numbers": {
			`[9007199254740993,-0.1,1e-30,123456789012345678901234567890.123456789,2.50,0.` +
				strings.Repeat("1234567890", 15) + `]`, "", true, whole,
		},
		"more numbers": {`[1e400,1E-40,-1.0,0.0,123456789012345678901234,18446744073709551616,` +
			`9223372036854775807,-9223372036854775808,4.9e-324,1.7976931348623157e308,` +
			strings.Repeat("7", 300) + `]`, "", true, slices.Concat(whole, []string{
			`S[2] + 1`, `[for s in S : s > 0]`, `S[4] == 123456789012345678901234`, `max(S...)`,
		})},
		"minus zero": {`[-0]`, "", true, []string{`S[0] == 0`, `S[0] + 1`}},
		"text":       {`["\u00e9\ud83d\ude00\"\\[{","日本語","${a} %%{b}","\u0000\n"]`, "", true, whole},
		"names": {`[{"a b":1,"日本":2,"":3,"0":4,"é":5}]`, "", true, slices.Concat(whole, []string{
			`S[0]["日本"]`, `keys(S[0])`, `S[0][""]`,
		})},
		"twice":      {`[{"a":1,"a":2}]`, "", true, whole},
		"nested":     {`[{"a":[{"b":[[{"c":[]}]]},{"b":[]}],"d":[null]}]`, "", true, whole},
		"deep":       {strings.Repeat("[", 60) + strings.Repeat("]", 60), "", true, whole},
		"empty":      {"", `[]`, false, whole},
		"byte order": {"\xef\xbb\xbf[1]", `[1]`, true, whole},
	} {
		bodies[name], lists[name] = test.body, test.list
		ours := fmt.Sprintf("data.notification_studies.found[%q].studies", name)
		tuple := fmt.Sprintf("jsondecode(data.notification_studies.found[%q].response_json)", name)
		if test.studies != "" {
			tuple = fmt.Sprintf("jsondecode(%q)", test.studies)
		}
		fmt.Fprintf(isList, "%q = %s != %s # a list equals no tuple\n", name, ours, tuple)
		for _, e := range test.expressions {
			of := func(value string) string {
				return regexp.MustCompile(`\bS\b`).ReplaceAllLiteralString(e, value)
			}
			fmt.Fprintf(differ, "%q = [jsonencode(%s), jsonencode(%s)]\n", name+": "+e, of(ours),
				of(tuple))
		}
	}
	w := newWorkspace(t, nil)
	w.answerLookups(t, bodies)
	names, err := json.Marshal(slices.Collect(maps.Keys(bodies)))
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, fmt.Sprintf(`
data "notification_studies" "found" {
  for_each = toset(%s)
  name     = each.key
}
output "differ" {
  value = { for e, both in {
    %s
  } : e => both if both[0] != both[1] }
}
output "lists" {
  value = {
    %s
  }
}
`, names, differ, isList))
	w.apply(t)
	var got struct {
		Differ struct{ Value map[string]any }
		Lists  struct{ Value map[string]bool }
	}
	read(t, w.must(t, "output", "-json"), &got)
	if len(got.Differ.Value) > 0 || !maps.Equal(got.Lists.Value, lists) {
		t.Errorf("differ: %v, lists: %v", got.Differ.Value, got.Lists.Value)
	}
	w.settled(t, "it")
}
