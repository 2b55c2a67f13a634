package provider

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// newAnswer serves body as the answer to every lookup.
func newAnswer(t *testing.T, body string) *backend {
	t.Helper()
	return newAnswers(t, map[string]string{"x": body})
}

// newAnswers serves the answers to lookups by name.
func newAnswers(t *testing.T, bodies map[string]string) *backend {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = w.Write([]byte(`{"access_token":"t","token_type":"Bearer"}`))
			return
		}
		body, ok := bodies[r.URL.Query().Get("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return &backend{url: server.URL}
}

// What an expression gives does not depend on whether the studies are a list: it is what the same
// expression makes of the tuple that jsondecode returns.
func TestAccStudies_expressions(t *testing.T) {
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
	bodies, config, checks := map[string]string{}, new(strings.Builder), []statecheck.StateCheck{}
	for name, test := range map[string]struct {
		body        string
		list        bool
		expressions []string
	}{
		"none": {`[]`, false, append(ofAny, `S == []`)},
		"same types": {`[
			{"name": "a", "id": 1, "sponsor": "x", "site": {"city": "Bern"}},
			{"name": "b", "id": 2, "sponsor": "y", "site": {"city": "Chur"}}
		]`, true, ofTwo},
		"null in all": {`[
			{"name": "a", "id": 1, "sponsor": null, "site": {"city": null}},
			{"name": "b", "id": 2, "sponsor": null, "site": {"city": null}}
		]`, true, ofTwo},
		"null beside a string": {`[
			{"name": "a", "id": 1, "sponsor": null, "site": {"city": null}},
			{"name": "b", "id": 2, "sponsor": "y", "site": {"city": "Chur"}}
		]`, false, ofTwo},
		"other types": {`[
			{"name": "a", "id": 1, "sponsor": "x", "site": {}},
			{"name": "b", "id": "2", "sponsor": "y", "site": {}}
		]`, false, ofTwo},
	} {
		bodies[name] = test.body
		n := len(bodies)
		var both strings.Builder
		for _, e := range test.expressions {
			of := func(value string) string {
				return regexp.MustCompile(`\bS\b`).ReplaceAllLiteralString(e, value)
			}
			fmt.Fprintf(&both, "    %q = [jsonencode(%s), jsonencode(%s)]\n",
				e, of(fmt.Sprintf("local.ours%d", n)), of(fmt.Sprintf("local.tuple%d", n)))
		}
		fmt.Fprintf(config, `
locals {
  ours%[1]d  = local.each[%[2]q].studies
  tuple%[1]d = jsondecode(local.each[%[2]q].response_json)
  both%[1]d = {
%[3]s
  }
}
output "differ%[1]d" {
  value = jsonencode({ for e, both in local.both%[1]d : e => both if both[0] != both[1] })
}
output "list%[1]d" {
  value = local.ours%[1]d != local.tuple%[1]d # a list equals no tuple
}
`, n, name, both.String())
		checks = append(checks,
			statecheck.ExpectKnownOutputValue(fmt.Sprintf("differ%d", n),
				knownvalue.StringExact("{}")),
			statecheck.ExpectKnownOutputValue(fmt.Sprintf("list%d", n), knownvalue.Bool(test.list)))
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{{
			Config:            newAnswers(t, bodies).config(lookUpEach(bodies) + config.String()),
			ConfigStateChecks: checks,
		}},
	})
}
