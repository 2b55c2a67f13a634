package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"terraform-provider-notification/internal/emulator"
)

func lookUp(name string) string {
	return `
data "notification_studies" "found" {
  name = "` + name + `"
}
output "studies" {
  value = data.notification_studies.found.studies
}
`
}

// lookUpEach looks up each of the names, and makes each.NAME the result. It needs no for_each,
// which the state checks do not support.
func lookUpEach(bodies map[string]string) string {
	var config, each strings.Builder
	for i, name := range slices.Sorted(maps.Keys(bodies)) {
		fmt.Fprintf(&config, "data \"notification_studies\" \"n%d\" {\n  name = %q\n}\n", i, name)
		fmt.Fprintf(&each, "    %q = data.notification_studies.n%d\n", name, i)
	}
	return config.String() + "locals {\n  each = {\n" + each.String() + "  }\n}\n"
}

// The state of a lookup: the studies, decoded, and the body as it was received.
func TestStudies(t *testing.T) {
	t.Parallel()
	study := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"id": tftypes.Number, "name": tftypes.String,
	}}
	const body = `[{"id":9007199254740993,"name":"ATLAS"}]`
	found := map[string]tftypes.Value{
		body: tftypes.NewValue(tftypes.List{ElementType: study}, []tftypes.Value{
			tftypes.NewValue(study, map[string]tftypes.Value{
				"id":   tftypes.NewValue(tftypes.Number, mustNumber("9007199254740993")),
				"name": tftypes.NewValue(tftypes.String, "ATLAS"),
			}),
		}),
		"": tftypes.NewValue(tftypes.Tuple{ElementTypes: []tftypes.Type{}}, []tftypes.Value{}),
	}
	for answer, want := range map[string]string{
		body: "", "": "", "[1": "JSON that breaks off", `"text"`: "JSON string where an array",
		"true": "JSON bool where", "1": "JSON number where",
	} {
		w := newWire(t, newAnswer(t, answer))
		schema := w.schema.DataSourceSchemas["notification_studies"]
		resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
			TypeName: "notification_studies",
			Config:   w.value(t, schema, map[string]any{"name": "x"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, want) ||
				!strings.Contains(resp.Diagnostics[0].Detail, "Request id: ") ||
				resp.Diagnostics[0].Attribute.String() != `AttributeName("studies")` {
				t.Errorf("%q: %+v", answer, resp.Diagnostics)
			}
			continue
		}
		mustSucceed(t, nil, resp.Diagnostics)
		state, err := resp.State.Unmarshal(schema.ValueType())
		if err != nil {
			t.Fatal(err)
		}
		var attributes map[string]tftypes.Value
		if err := state.As(&attributes); err != nil {
			t.Fatal(err)
		}
		if !attributes["studies"].Equal(found[answer]) ||
			!attributes["response_json"].Equal(tftypes.NewValue(tftypes.String, answer)) ||
			!attributes["name"].Equal(tftypes.NewValue(tftypes.String, "x")) {
			t.Errorf("%q: %s", answer, state)
		}
	}
}

// A lookup whose answer has further pages warns, and returns the first one. The warning does not
// quote the answer.
func TestStudies_furtherPages(t *testing.T) {
	t.Parallel()
	const body = `{"studies":[{"name":"ATLAS"}],"next_cursor":"canary"}`
	w := newWire(t, newAnswer(t, body))
	schema := w.schema.DataSourceSchemas["notification_studies"]
	resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config:   w.value(t, schema, map[string]any{"name": "x"}),
	})
	if err != nil || len(resp.Diagnostics) != 1 {
		t.Fatalf("%v, %+v", err, resp)
	}
	warning := resp.Diagnostics[0]
	if warning.Severity != tfprotov6.DiagnosticSeverityWarning ||
		warning.Summary != "Only the first page of studies was read" ||
		!strings.Contains(warning.Detail, `"next_cursor"`) ||
		strings.Contains(warning.Detail, "canary") {
		t.Errorf("%+v", warning)
	}
	state, err := resp.State.Unmarshal(schema.ValueType())
	if err != nil || !strings.Contains(state.String(), "ATLAS") {
		t.Errorf("%v, %s", err, state)
	}
}

// A lookup that fails is an error of the data source, and stores nothing.
func TestStudies_failure(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"studies": "status:404"}
	}))
	resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config: w.value(t, w.schema.DataSourceSchemas["notification_studies"],
			map[string]any{"name": "x"}),
	})
	if err != nil || len(resp.Diagnostics) != 1 ||
		resp.Diagnostics[0].Summary != "Unable to look up studies" {
		t.Errorf("%v, %+v", err, resp.Diagnostics)
	}
}

func TestAccStudies(t *testing.T) {
	t.Parallel()
	const study = `{"name":"A & ü","id":9007199254740993,"nothing":null,` +
		`"nested":{"list":[1,"two",[],{}],"ok":false},"ratio":0.1}`
	b := newBackend(t,
		func(c *emulator.Config) { c.Studies = []json.RawMessage{json.RawMessage(study)} })
	found := "data.notification_studies.found"
	first := tfjsonpath.New("studies").AtSliceIndex(0)
	asReturned := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"name":    knownvalue.StringExact("A & ü"),
		"id":      knownvalue.NumberExact(mustNumber("9007199254740993")),
		"nothing": knownvalue.Null(),
		"ratio":   knownvalue.NumberExact(mustNumber("0.1")),
		"nested": knownvalue.ObjectExact(map[string]knownvalue.Check{
			"ok": knownvalue.Bool(false),
			"list": knownvalue.TupleExact([]knownvalue.Check{
				knownvalue.Int64Exact(1), knownvalue.StringExact("two"),
				knownvalue.TupleExact(nil), knownvalue.ObjectExact(nil),
			}),
		}),
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config:      b.config(lookUp(" ")),
				ExpectError: says("name must not be blank"),
			},
			{
				Config: b.config(lookUp("A & ü")),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(found, first, asReturned),
					statecheck.ExpectKnownValue(found, tfjsonpath.New("response_json"),
						knownvalue.StringExact("["+study+"]")),
				},
			},
			{
				Config: b.config(lookUp("none")),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("studies", knownvalue.TupleExact(nil)),
				},
			},
		},
	})
	if got := b.Ledger().SubmissionRequests; got != 0 {
		t.Errorf("%d submissions", got)
	}
}

func mustNumber(text string) *big.Float {
	number, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return number
}

func TestAccStudies_errors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ faults, want string }{
		"not found": {
			"status:404",
			`Unable to look up studies ... 404 Not Found ... base_url, system and studies_path`,
		},
		"not JSON": {"text", `Unable to read the studies ... body is not JSON`},
		"a page":   {"html", `an HTML page ... sign-in page`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t,
				func(c *emulator.Config) { c.Faults = emulator.Faults{"studies": test.faults} })
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: providerFactories(),
				Steps: []resource.TestStep{
					{Config: b.config(lookUp("ATLAS")), ExpectError: says(test.want)},
				},
			})
		})
	}
}

// Whatever shape an answer has, Terraform takes it, keeps it and plans no change.
func TestAccStudies_shapes(t *testing.T) {
	t.Parallel()
	bodies, checks := map[string]string{}, []statecheck.StateCheck{}
	for name, test := range map[string]struct{ body, want string }{
		"empty":      {``, `[]`},
		"no studies": {`{"studies":null}`, `[]`},
		"wrapped":    {`{"studies":[{"a":1},{"b":"x"}],"total":2}`, `[{"a":1},{"b":"x"}]`},
		"one":        {`{"a":[null,[null]],"":{}}`, `[{"":{},"a":[null,[null]]}]`},
		"mixed":      {`[1,"x",null,true,[],{}]`, `[1,"x",null,true,[],{}]`},
		"numbers": {
			`[9007199254740993,-0.1,1e-30,123456789012345678901234567890.123456789,2.50]`,
			`[9007199254740993,-0.1,0.000000000000000000000000000001,` +
				`123456789012345678901234567890.123456789,2.5]`,
		},
		"byte order":     {"\xef\xbb\xbf[1]", `[1]`},
		"not normalised": {"[{\"e\u0301\":1}]", `[{"é":1}]`},
	} {
		bodies[name] = test.body
		checks = append(checks, statecheck.ExpectKnownOutputValueAtPath("json",
			tfjsonpath.New(name), knownvalue.StringExact(test.want)))
	}
	b := newAnswers(t, bodies)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{{
			Config: b.config(lookUpEach(bodies) + `
output "json" {
  value = { for name, d in local.each : name => jsonencode(d.studies) }
}
`),
			ConfigStateChecks: checks,
		}},
	})
}
