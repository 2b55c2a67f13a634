package provider

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const (
	aChannel       = `{"type":"slack","recipient":["C1"],"subject":"one"}`
	anAnnouncement = `{"priority":"HIGH","channels":[` + aChannel + `]`
)

// The plan warns exactly when a change of channels or priority is not sent. TestDecide has every
// change.
func TestNotSentWarning(t *testing.T) {
	t.Parallel()
	const triggers = `,"triggers":{"a":"1"}`
	b := newBackend(t, nil)
	w := newWire(t, b)
	created := w.create(t, arguments(t, anAnnouncement+triggers+"}"))
	b.ClearLedger()
	another := strings.NewReplacer("HIGH", "BATCH", "one", "two").Replace(anAnnouncement)
	for name, test := range map[string]struct {
		arguments   string
		warns       bool
		asSubmitted any
		replaced    []string
	}{
		"nothing":           {anAnnouncement + triggers, false, true, nil},
		"both":              {another + triggers, true, false, nil},
		"triggers and both": {another + `,"triggers":{"a":"2"}`, false, false, []string{"triggers"}},
		"resend_on_change": {
			another + triggers + `,"resend_on_change":true`, false, false,
			[]string{"channels", "priority"},
		},
		"other arguments": {
			anAnnouncement + triggers + `,"resend_on_change":true,"timeouts":{"create":"1m"}`,
			false, true, nil,
		},
	} {
		p := w.plan(t, created, arguments(t, test.arguments+"}"))
		if got := w.attribute(t, p.PlannedState, "as_submitted"); got != test.asSubmitted {
			t.Errorf("%s: as_submitted %v", name, got)
		}
		var replaced []string
		for _, path := range p.RequiresReplace {
			replaced = append(replaced, string(path.LastStep().(tftypes.AttributeName)))
		}
		slices.Sort(replaced)
		if !slices.Equal(replaced, test.replaced) {
			t.Errorf("%s: replaced for %q", name, replaced)
		}
		if test.warns != (len(p.Diagnostics) == 1) || len(p.Diagnostics) > 1 {
			t.Errorf("%s: %+v", name, p.Diagnostics)
			continue
		}
		for _, d := range p.Diagnostics {
			for _, words := range []string{
				"channels changed and priority changed", "Unless Terraform replaces", "triggers",
				"resend_on_change = true", "-replace=",
				w.attribute(t, created.NewState, "notification_id").(string),
			} {
				if d.Summary != "Changes to a notification are not sent by themselves" ||
					d.Severity != tfprotov6.DiagnosticSeverityWarning ||
					!strings.Contains(d.Detail, words) {
					t.Errorf("%s: does not say %q: %s: %s", name, words, d.Summary, d.Detail)
				}
			}
		}
	}
	b.sent(t, 0)()
}

// An unknown value may be a change: as_submitted is unknown too, and the warning says "may change".
// If the value turns out unchanged, there is no warning.
func TestUnknownChange(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	created := w.create(t, arguments(t, anAnnouncement+`}`))
	changed := arguments(t, anAnnouncement+`}`)
	changed["channels"].([]any)[0].(map[string]any)["subject"] = tftypes.UnknownValue
	p := w.plan(t, created, changed)
	if got := w.attribute(t, p.PlannedState, "as_submitted"); got != tftypes.UnknownValue {
		t.Errorf("as_submitted %v", got)
	}
	if len(p.Diagnostics) != 1 ||
		!strings.HasPrefix(p.Diagnostics[0].Detail, "channels may change (") ||
		len(p.RequiresReplace) != 0 {
		t.Errorf("%+v, replace for %v", p.Diagnostics, p.RequiresReplace)
	}
	if p = w.plan(t, created, arguments(t, anAnnouncement+`}`)); len(p.Diagnostics) != 0 {
		t.Errorf("%+v", p.Diagnostics)
	}

	// Whether to submit is unknown. An error would prevent -replace too, which submits anyway.
	changed["priority"] = "BATCH"
	changed["resend_on_change"] = tftypes.UnknownValue
	p = w.plan(t, created, changed)
	if len(p.Diagnostics) != 1 ||
		p.Diagnostics[0].Severity != tfprotov6.DiagnosticSeverityWarning ||
		p.Diagnostics[0].Summary != "resend_on_change will be known only after apply" ||
		!strings.Contains(p.Diagnostics[0].Detail,
			"and priority changed, and resend_on_change decides") || len(p.RequiresReplace) != 0 {
		t.Errorf("%+v, replace for %v", p.Diagnostics, p.RequiresReplace)
	}
	// Where triggers replace the resource, resend_on_change does not matter.
	changed["triggers"] = map[string]any{"a": "1"}
	p = w.plan(t, created, changed)
	if len(p.RequiresReplace) != 1 || len(p.Diagnostics) != 0 {
		t.Errorf("%+v, replace for %v", p.Diagnostics, p.RequiresReplace)
	}
	b.sent(t, 1)()
}

// Terraform before 1.11 ignores write-only, and before 1.8 other parts of the schema: what remains
// must be a valid schema.
func TestSchemaLoadsInOldTerraform(t *testing.T) {
	t.Parallel()
	resp := newWire(t, newBackend(t, nil)).schema
	schemas := map[string]*tfprotov6.Schema{"provider": resp.Provider}
	maps.Copy(schemas, resp.ResourceSchemas)
	maps.Copy(schemas, resp.DataSourceSchemas)
	for name, schema := range schemas {
		if len(schema.Block.BlockTypes) > 0 {
			t.Errorf("%s has blocks; attributes work everywhere since protocol 6", name)
		}
		checkAttributes(t, name, schema.Block.Attributes, false)
	}
	if len(resp.Functions) > 0 || len(resp.ListResourceSchemas) > 0 {
		t.Error("something new is on offer: which Terraform loads it?")
	}
}

// checkAttributes applies the rules by which Terraform 1.0 checks a schema
// (configschema.Block.InternalValidate).
func checkAttributes(
	t *testing.T, in string, attributes []*tfprotov6.SchemaAttribute, nested bool,
) {
	t.Helper()
	for _, a := range attributes {
		name := in + "." + a.Name
		if strings.Trim(a.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || a.Name[0] < 'a' {
			t.Errorf("%s is no name for an attribute", name)
		}
		if !a.Required && !a.Optional && !a.Computed || a.Required && (a.Optional || a.Computed) {
			t.Errorf("%s is required %t, optional %t, computed %t", name, a.Required, a.Optional,
				a.Computed)
		}
		if (a.Type == nil) == (a.NestedType == nil) {
			t.Errorf("%s has neither or both of a type and a nested type", name)
		}
		if a.Type != nil && a.Type.Is(tftypes.DynamicPseudoType) && nested {
			t.Errorf("%s is dynamic inside a collection", name)
		}
		if a.NestedType != nil {
			if a.Computed {
				t.Errorf("%s is nested and computed, which Terraform 1.0 plans wrongly", name)
			}
			checkAttributes(t, name, a.NestedType.Attributes, true)
		}
		if a.WriteOnly != strings.HasSuffix(a.Name, "_wo") {
			t.Errorf("%s is write-only: %t", name, a.WriteOnly)
		}
		if a.WriteOnly && (a.Required || a.Computed) {
			t.Errorf("%s is write-only and has to be given, which Terraform before 1.11 cannot",
				name)
		}
	}
}
