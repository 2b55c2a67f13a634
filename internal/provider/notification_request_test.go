package provider

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// newChannels is a list of one channel with the given attributes, the others null.
func newChannels(t *testing.T, given map[string]attr.Value) types.List {
	t.Helper()
	channels := resourceChannels().GetType().(types.ListType)
	kinds := maps.Clone(channels.ElemType.(types.ObjectType).AttrTypes)
	attributes := map[string]attr.Value{}
	for name, kind := range kinds {
		null := tftypes.NewValue(kind.TerraformType(t.Context()), nil)
		attributes[name], _ = kind.ValueFromTerraform(t.Context(), null) // null is of any type
	}
	attributes["type"] = types.StringValue("slack")
	maps.Copy(attributes, given)
	for name, value := range given {
		kinds[name] = value.Type(t.Context())
	}
	channel := types.ObjectValueMust(kinds, attributes)
	return types.ListValueMust(channel.Type(t.Context()), []attr.Value{channel})
}

// Terraform and the validators prevent these values. If one got through, no empty text must be
// submitted in its place.
func TestNotificationRequest_refusesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	if request, diags := notificationRequest(types.StringValue("HIGH"), newChannels(t, nil),
		newChannels(t, nil)); diags.HasError() || len(request.Channels) != 1 {
		t.Fatalf("a complete notification: %v, %v", request, diags)
	}
	if _, diags := notificationRequest(types.StringValue("HIGH"), newChannels(t, nil),
		types.ListUnknown(newChannels(t, nil).ElementType(t.Context()))); diags.HasError() {
		t.Errorf("without a configuration: %v", diags)
	}
	for name, channel := range map[string]map[string]attr.Value{
		"type null":            {"type": types.StringNull()},
		"type unknown":         {"type": types.StringUnknown()},
		"type of another kind": {"type": types.BoolValue(true)},
		"recipient unknown":    {"recipient": types.ListUnknown(types.StringType)},
		"recipient with null": {
			"recipient": types.ListValueMust(types.StringType, []attr.Value{types.StringNull()}),
		},
		"recipient with unknown": {
			"recipient": types.ListValueMust(types.StringType, []attr.Value{types.StringUnknown()}),
		},
		"recipient of numbers": {
			"recipient": types.ListValueMust(types.Int64Type, []attr.Value{types.Int64Value(1)}),
		},
		"recipient as a set":   {"recipient": types.SetNull(types.StringType)},
		"subject unknown":      {"subject": types.StringUnknown()},
		"content_type unknown": {"content_type": types.StringUnknown()},
		"template_id unknown":  {"template_id": types.StringUnknown()},
		"fields unknown":       {"fields": types.MapUnknown(types.StringType)},
		"fields with null": {
			"fields": types.MapValueMust(types.StringType,
				map[string]attr.Value{"a": types.StringNull()}),
		},
		"fields_wo unknown": {"fields_wo": types.MapUnknown(types.StringType)},
		"fields_wo with unknown": {
			"fields_wo": types.MapValueMust(types.StringType,
				map[string]attr.Value{"a": types.StringUnknown()}),
		},
	} {
		channels := newChannels(t, channel)
		refused(t, name, types.StringValue("HIGH"), channels)
	}
	refused(t, "priority null", types.StringNull(), newChannels(t, nil))
	refused(t, "priority unknown", types.StringUnknown(), newChannels(t, nil))
	kind := newChannels(t, nil).ElementType(t.Context())
	refused(t, "channels null", types.StringValue("HIGH"), types.ListNull(kind))
	refused(t, "channels unknown", types.StringValue("HIGH"), types.ListUnknown(kind))
	refused(t, "channel unknown", types.StringValue("HIGH"), types.ListValueMust(kind, []attr.Value{
		types.ObjectUnknown(kind.(types.ObjectType).AttrTypes),
	}))
}

func refused(t *testing.T, name string, priority types.String, channels types.List) {
	t.Helper()
	_, diags := notificationRequest(priority, channels, channels)
	if !diags.HasError() {
		t.Errorf("%s would be sent", name)
		return
	}
	if detail := diags.Errors()[0].Detail(); !strings.Contains(detail, "Nothing was sent.") {
		t.Errorf("%s: %s", name, detail)
	}
}

// The code and the schema use the same attribute names.
func TestNotificationModelFrom_missingAttribute(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	notificationModelFrom(types.ObjectValueMust(map[string]attr.Type{}, map[string]attr.Value{}),
		&diags)
	if len(diags) != 11 || diags[0].Summary() != "Unable to read the notification" ||
		!strings.Contains(diags[0].Detail(), "channels") {
		t.Errorf("%d diagnostics: %v", len(diags), diags)
	}
}
