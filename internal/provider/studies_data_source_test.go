package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

const lookup = `
data "notification_studies" "found" {
  name = "ATLAS"
}
`

// found checks an attribute of the lookup.
func found(attribute string, want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue("data.notification_studies.found",
		tfjsonpath.New(attribute), want)
}

// A lookup stores the studies, decoded, and the body as it was received.
func TestAccStudies_found(t *testing.T) {
	t.Parallel()
	const atlas = `{"name": "ATLAS", "id": 9007199254740993, "sponsor": null}`
	b := newBackend(t, emulator.Config{
		Studies: []byte("[" + atlas + `,{"id":2,"name":"BOREAS"}]`),
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			{
				Config: b.provider("") + lookup,
				ConfigStateChecks: []statecheck.StateCheck{
					found("name", knownvalue.StringExact("ATLAS")),
					found("response_json", knownvalue.StringExact("["+atlas+"]")),
					found("studies", knownvalue.TupleExact([]knownvalue.Check{
						knownvalue.ObjectExact(map[string]knownvalue.Check{
							"id":      knownvalue.Int64Exact(9007199254740993),
							"name":    knownvalue.StringExact("ATLAS"),
							"sponsor": knownvalue.Null(),
						}),
					})),
					b.received("studies", "token"),
				},
			},
		},
	})
	b.requested(t, "studies", "studies", "token", "token") // by the two plans after the step
}

// Expressions see the same whether studies is a list, since all have one type, or a tuple.
func TestAccStudies_inExpressions(t *testing.T) {
	t.Parallel()
	const studies = `[
		{"name":"ATLAS","id":1,"sites":[{"country":"DE"}],"grid":[[1],[2,3]]},
		{"name":"ATLAS","id":2,"sites":[{"country":"JP"}],"grid":[[4,5]]},
		{"name":"BOREAS","id":1,"sites":[{"country":"DE"}],"grid":[[1],[2,3]],"sponsor":null},
		{"name":"BOREAS","id":2,"sites":[{"country":"JP"}],"grid":[[4,5]],"sponsor":"x"}
	]`
	b := newBackend(t, emulator.Config{Studies: []byte(studies)})
	seen := func(tuple bool, sponsors string) knownvalue.Check {
		text := knownvalue.StringExact
		return knownvalue.ObjectExact(map[string]knownvalue.Check{
			"is_a_tuple": knownvalue.Bool(tuple),
			"index":      knownvalue.Int64Exact(1),
			"splat":      text("[1,2]"),
			"for":        text(`{"1":"DE","2":"JP"}`),
			"missing":    text("none"),
			"either":     knownvalue.Int64Exact(2),
			"coalesce":   text(sponsors),
			"sums":       text("[[1,5],[9]]"),
		})
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{{
			Config: b.provider("") + `
data "notification_studies" "list" {
  name = "ATLAS"
}

data "notification_studies" "tuple" {
  name = "BOREAS"
}

output "seen" {
  value = {
    for kind, found in {
      list  = data.notification_studies.list
      tuple = data.notification_studies.tuple
    } : kind => {
      is_a_tuple = found.studies == [for s in found.studies : s]
      index      = found.studies[0].id
      splat      = jsonencode(found.studies[*].id)
      for        = jsonencode({ for s in found.studies : s.id => s.sites[0].country })
      missing    = try(found.studies[2].id, "none")
      either     = length(length(found.studies) == 0 ? [] : found.studies)
      coalesce   = jsonencode([for s in found.studies : coalesce(try(s.sponsor, null), "none")])
      sums       = jsonencode([for s in found.studies : [for row in s.grid : sum(row)]])
    }
  }
}
`,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("seen", knownvalue.ObjectExact(
					map[string]knownvalue.Check{
						"list":  seen(false, `["none","none"]`),
						"tuple": seen(true, `["none","x"]`),
					})),
				b.received("studies", "studies", "token"),
			},
		}},
	})
	b.requested(t, "studies", "studies", "studies", "studies", "token", "token")
}

// A failed lookup, or a response with errors only or with studies that Terraform cannot store, is
// an error, and nothing is stored. Secrets in quotes of the response are masked.
func TestStudies_cannotBeStored(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"status:404": "Unable to look up studies: ... 404",
		`json:[{"` + testSecret + `e\u0301":1}]`: "studies: Unable to read the studies in the response: " +
			"The service responded to the lookup, but the name of a member is not in Unicode's " +
			`normalization form NFC: "*** ... request id ... not even response_json.`,
		`json:{"data":null,"errors":["no ` + testSecret + `"]}`: "Unable to look up studies: " +
			`The request failed (200 OK): "{"errors":["no ***"]}". ... request id ...`,
	} {
		b := newBackend(t, emulator.Config{Faults: emulator.Faults{"studies": fault}})
		s := b.configure(t, nil)
		resp := s.read(t, "notification_studies", false)
		b.requested(t, "studies", "token")
		onlySays(t, fault, resp.Diagnostics, want)
		state := members(t, s.schema.DataSourceSchemas["notification_studies"], resp.State)
		if !state["studies"].IsNull() || !state["response_json"].IsNull() {
			t.Errorf("stored %s", state)
		}
	}
}

// A blank name is refused, and one that JSON could not carry.
func TestStudies_invalidName(t *testing.T) {
	t.Parallel()
	s := newUnconfigured(t)
	schema := s.schema.DataSourceSchemas["notification_studies"]
	for name, want := range map[string]string{
		" ":    "name: Blank value: name must not be blank",
		"\xe9": "name: Invalid text: name must be valid UTF-8",
	} {
		resp := must(s.ValidateDataResourceConfig(t.Context(),
			&tfprotov6.ValidateDataResourceConfigRequest{
				TypeName: "notification_studies",
				Config:   s.value(t, schema, map[string]any{"name": name}),
			}))
		onlySays(t, name, resp.Diagnostics, want)
	}
}

// While provider settings are unknown, lookups and tokens are deferred if the caller allows it. The
// result of a deferred lookup is unknown. Notifications are planned as usual, even on a server that
// was never configured.
func TestDeferral(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	unknown := b.configure(t, map[string]any{"client_secret": "?"})
	unconfigured := newUnconfigured(t)
	given := arguments(t, anAnnouncement+"}")
	known := newTestServer(t)
	created := known.create(t, given)
	for name, test := range map[string]struct {
		*testServer
		allowed, deferred bool
		says              string
	}{
		"unknown":        {unknown, true, true, ""},
		"not allowed":    {unknown, false, false, "known only after apply: client_secret."},
		"known":          {known, true, false, ""},
		"not configured": {unconfigured, false, false, "known only after apply: allow_insecure_http,"},
	} {
		onlySays(t, name+", a creation", test.plan(t, nil, given).Diagnostics, "")
		onlySays(t, name+", a notification", test.plan(t, created, given).Diagnostics, "")
		token := test.openToken(t, map[string]any{}, test.allowed)
		onlySays(t, name+", token", token.Diagnostics, test.says)
		var want *tfprotov6.Deferred
		if test.deferred {
			want = &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonProviderConfigUnknown}
		}
		if diff := cmp.Diff(want, token.Deferred); diff != "" {
			t.Errorf("%s: the token is deferred, want (-), got (+):\n%s", name, diff)
		}
		for _, source := range test.lookups() {
			lookup := test.read(t, source, test.allowed)
			onlySays(t, name+", "+source, lookup.Diagnostics, test.says)
			if diff := cmp.Diff(want, lookup.Deferred); diff != "" {
				t.Errorf("%s: %s is deferred, want (-), got (+):\n%s", name, source, diff)
			}
			schema := test.schema.DataSourceSchemas[source]
			state := members(t, schema, lookup.State)
			for _, a := range schema.Block.Attributes {
				if test.deferred && a.Computed && state[a.Name].IsKnown() {
					t.Errorf("%s: %s has %s = %s", name, source, a.Name, state[a.Name])
				}
			}
		}
	}
	withKey := arguments(t, anAnnouncement+`,"idempotency_key":"a"}`)
	onlySays(t, "not configured, with a key", unconfigured.plan(t, nil, withKey).Diagnostics, "")
	b.requested(t)
	targets := []string{"submission", "token"}
	for _, source := range known.lookups() {
		targets = append(targets, strings.TrimPrefix(source, "notification_"))
	}
	known.requested(t, slices.Sorted(slices.Values(targets))...)
}
