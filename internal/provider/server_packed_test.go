package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/vmihailenco/msgpack/v5"
)

// many are n recipients of four bytes each.
func many(n int) []any {
	recipients := make([]any, n)
	for i := range recipients {
		recipients[i] = fmt.Sprintf("%04d", i)
	}
	return recipients
}

func manyFields(n int) map[string]any {
	fields := map[string]any{}
	for i := range n {
		fields[fmt.Sprintf("k%04d", i)] = "<€>"
	}
	return fields
}

// What is packed is unpacked again; packed is what is large and valid.
func TestPack(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	schema := w.schema.ResourceSchemas[resourceName]
	replaced := func(list []any, at int, value any) []any {
		list = slices.Clone(list)
		list[at] = value
		return list
	}
	large, largeFields := many(2000), manyFields(600)
	withNull := manyFields(600)
	withNull["k0300"] = nil
	withUnknownElement := replaced(large, 7, tftypes.UnknownValue)
	withEmpty := map[string]any{"": "", "k": strings.Repeat("x", 5000)}
	withUnknown := manyFields(600)
	withUnknown["k0300"] = tftypes.UnknownValue
	for name, test := range map[string]struct {
		channels any // or the attributes of a single one
		packs    bool
	}{
		"unknown channels":  {tftypes.UnknownValue, false},
		"no channels":       {[]any{}, false},
		"unknown channel":   {[]any{tftypes.UnknownValue}, false},
		"null":              {map[string]any{"recipient": nil, "fields": nil}, false},
		"unknown":           {map[string]any{"recipient": tftypes.UnknownValue}, false},
		"empty":             {map[string]any{"recipient": []any{}}, false},
		"just below":        {map[string]any{"recipient": many(1023)}, false},
		"just large":        {map[string]any{"recipient": many(1024)}, true},
		"very large":        {map[string]any{"recipient": many(70_000)}, true},
		"one long one":      {map[string]any{"recipient": []any{strings.Repeat("x", 4096)}}, true},
		"one null":          {map[string]any{"recipient": replaced(large, 7, nil)}, false},
		"one blank":         {map[string]any{"recipient": replaced(large, 7, " \n")}, false},
		"one unknown":       {map[string]any{"recipient": withUnknownElement}, false},
		"long subject":      {map[string]any{"subject": strings.Repeat("x", 5000)}, false},
		"fields":            {map[string]any{"fields": largeFields}, true},
		"few fields":        {map[string]any{"fields": manyFields(300)}, false},
		"null field":        {map[string]any{"fields": withNull}, false},
		"unknown field":     {map[string]any{"fields": withUnknown}, false},
		"empty field":       {map[string]any{"fields": withEmpty}, true},
		"write-only fields": {map[string]any{"fields_wo": largeFields}, true},
		"looks packed":      {map[string]any{"recipient": []any{packedMark + "x"}}, true},
		"is the mark":       {map[string]any{"recipient": []any{packedMark}}, true},
		"field looks so":    {map[string]any{"fields": map[string]any{packedMark: "x"}}, true},
		"mark among others": {map[string]any{"recipient": []any{packedMark, "x"}}, false},
		"mark elsewhere":    {map[string]any{"subject": packedMark + "x"}, false},
		"several":           {map[string]any{"recipient": large, "fields": largeFields}, true},
		"next to unknown":   {[]any{tftypes.UnknownValue, map[string]any{"recipient": large}}, true},
	} {
		channels := test.channels
		if channel, isOne := channels.(map[string]any); isOne {
			channel = maps.Clone(channel)
			channel["type"] = "slack"
			channels = []any{channel}
		}
		value := w.value(t, schema, map[string]any{
			"priority": "HIGH", "channels": channels, "notification_id": tftypes.UnknownValue,
		})
		packed := pack(value)
		if differs := !sameValue(t, schema, packed, value); differs != test.packs {
			t.Errorf("%s: packed: %t, want %t", name, differs, test.packs)
		}
		if again := unpack(packed); !sameValue(t, schema, again, value) {
			t.Errorf("%s: unpacked to %.200s", name, decodedValue(t, schema, again))
		}
	}
	// Terraform says more about an unknown value than that it is unknown.
	refined := w.value(t, schema, map[string]any{"channels": []any{
		tftypes.UnknownValue,
		map[string]any{"recipient": tftypes.UnknownValue, "fields": manyFields(600)},
	}})
	refined.MsgPack = bytes.ReplaceAll(refined.MsgPack, []byte{0xd4, 0, 0},
		[]byte{0xc7, 3, 12, 0x81, 1, 0xc2}) // not null
	if packed := pack(refined); sameValue(t, schema, packed, refined) ||
		!sameValue(t, schema, unpack(packed), refined) {
		t.Errorf("packed to %s", decodedValue(t, schema, packed))
	}
	for _, none := range []*tfprotov6.DynamicValue{nil, w.value(t, schema, nil)} {
		if pack(none) != none || unpack(none) != none {
			t.Errorf("%v was changed", none)
		}
	}
}

// The order in which Terraform encodes a map changes nothing.
func TestPackCollection_order(t *testing.T) {
	t.Parallel()
	encode := func(keys ...string) msgpack.RawMessage {
		var buffer bytes.Buffer
		encoder := msgpack.NewEncoder(&buffer)
		err := encoder.EncodeMapLen(len(keys))
		for _, key := range keys {
			err = errors.Join(err, encoder.EncodeString(key),
				encoder.EncodeString(strings.Repeat(key, 2000)))
		}
		if err != nil {
			t.Fatal(err)
		}
		return buffer.Bytes()
	}
	one, other := packCollection(encode("a", "b", "c")), packCollection(encode("c", "a", "b"))
	if !bytes.Equal(one, other) || !bytes.Contains(one, []byte(packedMark)) {
		t.Errorf("%.40q, %.40q", one, other)
	}
}

// echo is a framework that plans and applies what it is asked for, and notes what was not packed.
type echo struct {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer

	calls, bare []string
}

func (e *echo) note(call string, values ...*tfprotov6.DynamicValue) {
	e.calls = append(e.calls, call)
	for i, value := range values {
		if !holdsPacked(value) {
			e.bare = append(e.bare, fmt.Sprintf("%s, value %d", call, i))
		}
	}
}

func (e *echo) ValidateResourceConfig(
	_ context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	e.note("validate", req.Config)
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (e *echo) PlanResourceChange(
	_ context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	e.note("plan", req.Config, req.ProposedNewState, req.PriorState)
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState}, nil
}

func (e *echo) ApplyResourceChange(
	_ context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	e.note("apply", req.Config, req.PlannedState, req.PriorState)
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState}, nil
}

func (e *echo) ReadResource(
	_ context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	e.note("read", req.CurrentState)
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState}, nil
}

func (e *echo) ValidateActionConfig(
	_ context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	e.note("validate action", req.Config)
	return &tfprotov6.ValidateActionConfigResponse{}, nil
}

func (e *echo) PlanAction(
	_ context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	e.note("plan action", req.Config)
	return &tfprotov6.PlanActionResponse{}, nil
}

func (e *echo) InvokeAction(
	_ context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	e.note("invoke action", req.Config)
	return &tfprotov6.InvokeActionServerStream{}, nil
}

// Whatever Terraform calls, the framework gets packed values, and Terraform gets unpacked ones.
func TestServer_packs(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	schema := w.schema.ResourceSchemas[resourceName]
	large := func(n int) *tfprotov6.DynamicValue {
		return w.value(t, schema, map[string]any{
			"channels": []any{map[string]any{"recipient": many(n)}},
		})
	}
	before, after := large(2000), large(3000)
	e := &echo{ProviderServer: w.ProviderServer, ActionServer: w.ActionServer}
	s, ctx := newServer(e), t.Context()
	actions, _ := s.(tfprotov6.ActionServer)

	planned, planErr := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, Config: after, ProposedNewState: after, PriorState: before,
	})
	applied, applyErr := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceName, Config: after, PlannedState: after, PriorState: before,
	})
	read, readErr := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: resourceName, CurrentState: after,
	})
	_, validateErr := s.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceName, Config: after,
	})
	_, planActionErr := actions.PlanAction(ctx, &tfprotov6.PlanActionRequest{
		ActionType: "notification_send", Config: after,
	})
	_, invokeErr := actions.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: "notification_send", Config: after,
	})
	err := errors.Join(planErr, applyErr, readErr, validateErr, planActionErr, invokeErr)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]*tfprotov6.DynamicValue{
		"planned": planned.PlannedState, "applied": applied.NewState, "read": read.NewState,
	} {
		if !sameValue(t, schema, got, after) {
			t.Errorf("%s: %.200s", name, decodedValue(t, schema, got))
		}
	}
	want := []string{
		"plan", "apply", "read", "validate", "validate action", "plan action", "validate action",
		"invoke action",
	}
	if !slices.Equal(e.calls, want) || len(e.bare) > 0 {
		t.Errorf("called: %q; not packed: %q", e.calls, e.bare)
	}
}

// Resource and action send all of what was packed.
func TestPacked_sent(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	fields, secret := manyFields(600), map[string]any{"secret": strings.Repeat("x", 5000)}
	channel := map[string]any{"type": "slack", "recipient": many(2000), "fields": fields}
	large := map[string]any{
		"priority": "HIGH", "channels": []any{channel, map[string]any{"type": "sms"}},
	}
	text, err := json.Marshal(large)
	if err != nil {
		t.Fatal(err)
	}
	_, completed := w.invoke(t.Context(), t, string(text))
	if len(completed.Diagnostics) > 0 {
		t.Fatal(completed.Diagnostics[0].Detail)
	}
	channel["fields_wo"] = secret
	w.create(t, large)
	submissions := b.Ledger().Submissions
	b.sent(t, 2)()
	delete(channel, "fields_wo")
	for i, submission := range submissions {
		if i == 1 {
			maps.Copy(fields, secret)
		}
		var sent map[string]any
		if err := json.Unmarshal(submission.Body, &sent); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(sent, large) {
			t.Errorf("sent %.300s", submission.Body)
		}
	}

}

// A key in both maps is noticed in packed ones, and in those that look packed.
func TestPacked_collision(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	for _, test := range []struct {
		key    string
		fields map[string]any
	}{
		{"k0599", manyFields(600)},
		{packedMark, map[string]any{packedMark: "x"}},
		{packedMark, map[string]any{packedMark: "x", "other": "y"}},
		{packedMark, map[string]any{packedMark: tftypes.UnknownValue}},
		{packedMark, map[string]any{packedMark: nil}},
	} {
		channel := map[string]any{
			"type": "slack", "fields": test.fields, "fields_wo": map[string]any{test.key: "x"},
		}
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{
				TypeName: resourceName,
				Config: w.value(t, w.schema.ResourceSchemas[resourceName], map[string]any{
					"priority": "HIGH", "channels": []any{channel},
				}),
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
					WriteOnlyAttributesAllowed: true,
				},
			})
		if err != nil || !slices.ContainsFunc(validated.Diagnostics,
			func(d *tfprotov6.Diagnostic) bool {
				return strings.Contains(d.Detail, "both fields and fields_wo: "+test.key+".")
			}) {
			t.Errorf("%.100q: %v, %+v", test.fields, err, validated)
		}
	}
}

// Text may be encoded as binary.
func TestPack_binary(t *testing.T) {
	t.Parallel()
	text, binary := make([]any, 100), make([]any, 100)
	for i := range text {
		text[i] = strings.Repeat("x", 50)
		binary[i] = []byte(strings.Repeat("x", 50))
	}
	if one := packCollection(encoded(text)); len(decoded[[]string](one)) != 1 ||
		!bytes.Equal(one, packCollection(encoded(binary))) {
		t.Errorf("%.80q, %.80q", one, packCollection(encoded(binary)))
	}
}

// A large notification is one like any other, through edits in place and replacements; what is
// wrong with one element of many is reported there.
func TestAccNotification_large(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	large := func(recipient, more string) string {
		return b.config(fmt.Sprintf(`
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    recipient = [for n in range(60) : n == 40 ? %s : format("U%%0100d", n)]
    fields    = { for n in range(60) : "k${n}" => format("é%%0100d", n) }
  }]
  %s
}
`, recipient, more))
	}
	step := func(
		sent int, config string, want plancheck.ResourceActionType, asSubmitted bool,
	) resource.TestStep {
		return resource.TestStep{
			PreConfig: b.sent(t, sent), Config: config, ConfigPlanChecks: planned(want),
			ConfigStateChecks: []statecheck.StateCheck{
				submitted(asSubmitted),
				statecheck.ExpectKnownValue(deployed,
					tfjsonpath.New("channels").AtSliceIndex(0).AtMapKey("recipient"),
					knownvalue.ListSizeExact(60)),
				statecheck.ExpectKnownValue(deployed,
					tfjsonpath.New("channels").AtSliceIndex(0).AtMapKey("fields").AtMapKey("k59"),
					knownvalue.StringExact("é"+strings.Repeat("0", 98)+"59")),
			},
		}
	}
	var (
		first  = large(`"one"`, "")
		second = large(`"two"`, "")
		resend = large(`"three"`, "resend_on_change = true")
	)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{Config: large(`" "`, ""), ExpectError: says("channels[0].recipient[40] must not be blank")},
			{Config: large("null", ""), ExpectError: says("Null List Value")},
			step(0, first, plancheck.ResourceActionCreate, true),
			step(1, second, plancheck.ResourceActionUpdate, false),
			step(0, first, plancheck.ResourceActionUpdate, true),
			step(0, resend, plancheck.ResourceActionReplace, true),
			step(1, resend, plancheck.ResourceActionNoop, true),
		},
	})
	b.sent(t, 0)()
}

func decodedValue(
	t *testing.T, schema *tfprotov6.Schema, value *tfprotov6.DynamicValue,
) tftypes.Value {
	t.Helper()
	object, err := value.Unmarshal(schema.ValueType())
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func sameValue(t *testing.T, schema *tfprotov6.Schema, a, b *tfprotov6.DynamicValue) bool {
	t.Helper()
	return decodedValue(t, schema, a).Equal(decodedValue(t, schema, b))
}
