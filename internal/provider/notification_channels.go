package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// What the resource and the action share. Each of the two has schema types of its own.
const (
	channelsDescription = "The channels to send the notification through, at least one. They all " +
		"belong to one notification and share its id. All text must be valid UTF-8."
	priorityDescription = "Priority of the notification: `HIGH`, `NORMAL` or `BATCH`, in " +
		"uppercase. The service defines what each of them means."

	keyDescription = "Key under which the notification is submitted. If it is submitted " +
		"again, even by another run, the service recognises it by the key. 1 to 255 visible ASCII " +
		"characters, such as `checkout-production-1.4.2`. Requires the provider setting " +
		"`idempotency_key_header`. If that is set and this is not, each submission has a random key."

	// Of the resource alone, whose arguments can change.
	keyChangeDescription = " Changing one key to another replaces the resource, which " +
		"submits a new notification; a key that is known only after apply counts as a change. " +
		"Adding or removing the key submits nothing. If `triggers` or `resend_on_change` submit a " +
		"new notification, the key must change too."
	notSentDescription = " A change is not sent unless `resend_on_change` is true or `triggers` " +
		"changes too."
)

func channelsValidators() []validator.List {
	return []validator.List{
		listvalidator.SizeAtLeast(1), listvalidator.NoNullValues(), distinctFields{},
	}
}

func textValidators() []validator.String { return []validator.String{validText(), nonBlank()} }

// The values of priority are those of the service's page, section 2.
func priorityValidators() []validator.String {
	return []validator.String{oneOf("Invalid priority", "HIGH", "NORMAL", "BATCH")}
}

// channelAttributes are the attributes of a channel, fields_wo left out.
func channelAttributes() map[string]schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{
			Optional: true, MarkdownDescription: description, Validators: textValidators(),
		}
	}
	return map[string]schema.Attribute{
		"type": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Type of channel, for example `slack`. The service defines " +
				"which types there are.",
			Validators: textValidators(),
		},
		"recipient": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Identifiers of the recipients. Their format depends on the type " +
				"of channel. If set, at least one; none may be blank.",
			Validators: []validator.List{
				listvalidator.SizeAtLeast(1), listvalidator.NoNullValues(),
				listvalidator.ValueStringsAre(textValidators()...),
			},
		},
		"subject": text("Subject line. Left out of the request if unset."),
		"content_type": text("Format of the content, for example `md` for Markdown. Left out of " +
			"the request if unset."),
		"template_id": text("Identifier of the message template to fill in. Left out of the " +
			"request if unset."),
		"fields": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Values for the placeholders of the template, by name.",
			Validators:          []validator.Map{validText(), mapvalidator.NoNullValues()},
		},
	}
}

// resourceChannels is the attribute channels of the resource.
func resourceChannels() schema.Attribute {
	attributes := channelAttributes()
	// Write-only values are in no plan and no state. If they were sensitive too, Terraform would
	// add 425 bytes per channel to the state.
	attributes["fields_wo"] = schema.MapAttribute{
		Optional: true, WriteOnly: true, ElementType: types.StringType,
		MarkdownDescription: "Like `fields`, and sent together with them, but kept out of plan " +
			"and state. No name may be in both. Terraform does not notice when these values " +
			"change: change `triggers` to send them. Requires Terraform or OpenTofu 1.11 or later.",
		Validators: []validator.Map{validText(), mapvalidator.NoNullValues()},
	}
	channels := schema.ListNestedAttribute{
		Required: true,
		MarkdownDescription: channelsDescription + notSentDescription + " Plan and state contain " +
			"the channels in plain text, except `fields_wo`.",
		Validators:   channelsValidators(),
		NestedObject: schema.NestedAttributeObject{Attributes: attributes},
	}
	// These types equal the default ones. Without them the framework builds the default ones again
	// at every step of every path to an attribute.
	channel := channels.NestedObject.Type()
	channels.NestedObject.CustomType = channel
	channels.CustomType = types.ListType{ElemType: channel}
	return channels
}

// actionChannels is the attribute channels of the action: the same without fields_wo. The framework
// rejects write-only attributes in actions. Besides, Terraform 1.16 drops ephemeral values from an
// action that is invoked with -invoke, so the notification would be submitted without them.
func actionChannels() actionschema.Attribute {
	attributes := map[string]actionschema.Attribute{}
	for name, attribute := range channelAttributes() {
		switch a := attribute.(type) {
		case schema.StringAttribute:
			attributes[name] = actionschema.StringAttribute{
				Required: a.Required, Optional: a.Optional,
				MarkdownDescription: a.MarkdownDescription, Validators: a.Validators,
				DeprecationMessage: a.DeprecationMessage,
			}
		case schema.ListAttribute:
			attributes[name] = actionschema.ListAttribute{
				Optional: true, ElementType: a.ElementType,
				MarkdownDescription: a.MarkdownDescription, Validators: a.Validators,
				DeprecationMessage: a.DeprecationMessage,
			}
		case schema.MapAttribute:
			attributes[name] = actionschema.MapAttribute{
				Optional: true, ElementType: a.ElementType,
				MarkdownDescription: a.MarkdownDescription, Validators: a.Validators,
				DeprecationMessage: a.DeprecationMessage,
			}
		default:
			panic(fmt.Sprintf("the action has no attribute like %T", a))
		}
	}
	return actionschema.ListNestedAttribute{
		Required:            true,
		MarkdownDescription: channelsDescription,
		Validators:          channelsValidators(),
		NestedObject:        actionschema.NestedAttributeObject{Attributes: attributes},
	}
}

// distinctFields rejects channels with a key in both fields and fields_wo. The keys of a known map
// are known even where its values are not.
type distinctFields struct{}

func (distinctFields) Description(context.Context) string {
	return "no key may be in both fields and fields_wo"
}

func (v distinctFields) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (distinctFields) ValidateList(
	_ context.Context, req validator.ListRequest, resp *validator.ListResponse,
) {
	for i, element := range req.ConfigValue.Elements() {
		if element.IsNull() || element.IsUnknown() {
			continue
		}
		channel := channelModelFrom(element, &resp.Diagnostics)
		for key := range channel.FieldsWO.Elements() {
			if _, ok := channel.Fields.Elements()[key]; !ok {
				continue
			}
			at := req.Path.AtListIndex(i).AtName("fields_wo")
			resp.Diagnostics.AddAttributeError(at, "Field given twice", // key may be sensitive
				fmt.Sprintf("%s has a key that is also in fields. Keep each key in one of them "+
					"only, so that it is clear which value is sent.", at))
			break
		}
	}
}
