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

// What a plan says and replaces, and exactly when it warns that a change of channels or priority is
// not sent. TestDecide has every change.
func TestNotSentWarning(t *testing.T) {
	t.Parallel()
	const triggers = `,"triggers":{"a":"1"}`
	w := newWire(t)
	created := w.create(t, arguments(t, anAnnouncement+triggers+"}"))
	w.ClearLedger()
	id := w.attribute(t, created.NewState, "notification_id").(string)
	another := strings.NewReplacer("HIGH", "BATCH", "one", "two").Replace(anAnnouncement)
	maybe := strings.Replace(anAnnouncement, "one", "?", 1)
	maybeAnother := strings.Replace(maybe, "HIGH", "BATCH", 1)
	for name, test := range map[string]struct {
		arguments   string
		says        string
		asSubmitted any
		replaced    []string
	}{
		"nothing": {anAnnouncement + triggers, "", true, nil},
		"both": {
			another + triggers, "Warning: ... Changes to a notification are not sent by themselves: " +
				"channels changed and priority changed. Unless Terraform replaces ... " + id +
				" ... triggers ... resend_on_change = true ... -replace=",
			false, nil,
		},
		"triggers and both": {another + `,"triggers":{"a":"2"}`, "", false, []string{"triggers"}},
		"resend_on_change": {
			another + triggers + `,"resend_on_change":true`, "", false,
			[]string{"channels", "priority"},
		},
		"other arguments": {
			anAnnouncement + triggers + `,"resend_on_change":true,"timeouts":{"create":"1m"}`,
			"", true, nil,
		},
		// If the value turns out unchanged, there is no warning: see "nothing".
		"unknown": {
			maybe + triggers, "Warning: ... Changes to a notification are not sent " +
				"by themselves: channels may change (", tftypes.UnknownValue, nil,
		},
		// Whether to submit is unknown. An error would prevent -replace too, which submits anyway.
		"unknown resend_on_change": {
			maybeAnother + triggers + `,"resend_on_change":"?"`, "Warning: ... resend_on_change " +
				"will be known only after apply: ... and priority changed, and resend_on_change decides",
			false, nil,
		},
		"unknown resend_on_change, triggers": {
			maybeAnother + `,"resend_on_change":"?"`, "", false, []string{"triggers"},
		},
	} {
		p := w.plan(t, created, arguments(t, test.arguments+"}"))
		onlySays(t, name, p.Diagnostics, test.says)
		w.has(t, name, p.PlannedState, map[string]any{"as_submitted": test.asSubmitted})
		var replaced []string
		for _, path := range p.RequiresReplace {
			replaced = append(replaced, string(path.LastStep().(tftypes.AttributeName)))
		}
		slices.Sort(replaced)
		if !slices.Equal(replaced, test.replaced) {
			t.Errorf("%s: replaced for %q", name, replaced)
		}
	}
	w.sent(t, 0)
}

// Terraform before 1.11 ignores write-only, and before 1.8 other parts of the schema: what remains
// must be a valid schema.
func TestSchemaLoadsInOldTerraform(t *testing.T) {
	t.Parallel()
	resp := newWire(t).schema
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
