package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

// notificationRequest builds the request from the planned priority and channels. The write-only
// fields come from configured, the channels of the configuration: a plan does not hold them.
func notificationRequest(
	priority types.String, channels, configured types.List,
) (request client.NotificationRequest, diags diag.Diagnostics) {
	request.Priority = requiredString(priority, path.Root("priority"), &diags)
	if channels.IsNull() || channels.IsUnknown() {
		diags.Append(unsendable(channels, path.Root("channels")))
	}
	withSecrets := configured.Elements()
	for i, element := range channels.Elements() {
		at := path.Root("channels").AtListIndex(i)
		channel := channelModelFrom(element, &diags)
		if i < len(withSecrets) {
			channel.FieldsWO = channelModelFrom(withSecrets[i], &diags).FieldsWO
		}
		request.Channels = append(request.Channels, channel.channel(at, &diags))
	}
	return request, diags
}

// channel returns the channel as it is submitted. Null members are left out.
func (c channelModel) channel(at path.Path, diags *diag.Diagnostics) client.Channel {
	return client.Channel{
		Type:         requiredString(c.Type, at.AtName("type"), diags),
		Recipient:    stringSlice(c.Recipient, at.AtName("recipient"), diags),
		Subject:      optionalString(c.Subject, at.AtName("subject"), diags),
		ContentType:  optionalString(c.ContentType, at.AtName("content_type"), diags),
		TemplateID:   optionalString(c.TemplateID, at.AtName("template_id"), diags),
		Fields:       stringMap(c.Fields, at.AtName("fields"), diags),
		SecretFields: stringMap(c.FieldsWO, at.AtName("fields_wo"), diags),
	}
}

// unsendable is the error for a value that is null or unknown where it must not be. The validators
// and Terraform prevent that; should they fail to, nothing is submitted.
func unsendable(value attr.Value, at path.Path) diag.Diagnostic {
	what := fmt.Sprintf("of type %T", value)
	switch {
	case value == nil || value.IsNull():
		what = "null"
	case value.IsUnknown():
		what = "unknown"
	}
	return diag.NewAttributeErrorDiagnostic(at, "Unable to submit notification",
		fmt.Sprintf("%s is %s. Nothing was sent. This is a bug in Terraform or in the provider; "+
			"please report it.", at, what))
}

func requiredString(value attr.Value, at path.Path, diags *diag.Diagnostics) string {
	s, ok := value.(types.String)
	if !ok || s.IsNull() || s.IsUnknown() {
		diags.Append(unsendable(value, at))
	}
	return s.ValueString()
}

func optionalString(value types.String, at path.Path, diags *diag.Diagnostics) *string {
	if value.IsNull() {
		return nil
	}
	s := requiredString(value, at, diags)
	return &s
}

func stringSlice(list types.List, at path.Path, diags *diag.Diagnostics) []string {
	switch {
	case list.IsNull():
		return nil
	case list.IsUnknown():
		diags.Append(unsendable(list, at))
	}
	out := make([]string, 0, len(list.Elements()))
	for i, element := range list.Elements() {
		out = append(out, requiredString(element, at.AtListIndex(i), diags))
	}
	return out
}

func stringMap(values types.Map, at path.Path, diags *diag.Diagnostics) map[string]string {
	switch {
	case values.IsNull():
		return nil
	case values.IsUnknown():
		diags.Append(unsendable(values, at))
	}
	out := make(map[string]string, len(values.Elements()))
	for key, element := range values.Elements() {
		out[key] = requiredString(element, at.AtMapKey(key), diags)
	}
	return out
}
