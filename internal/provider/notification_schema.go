package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// What resource and action say and check of the arguments that make up a
// notification. The two kinds of schema have types of their own; all that differs
// between them below is those types.
const (
	channelsDescription    = "The channels to notify through, at least one. All of them belong to one notification and share its id."
	priorityDescription    = "Priority of the notification: `HIGH`, `NORMAL` or `BATCH`, in upper case. What each of them means is the service's matter."
	typeDescription        = "Kind of the channel, for example `slack`. Which kinds there are is the service's matter."
	recipientDescription   = "Identifiers of the recipients. What they look like depends on the kind of the channel. At least one when given; none may be blank."
	subjectDescription     = "Subject line. Left out of the request when unset."
	contentTypeDescription = "Format of the content, for example `md` for Markdown. Left out of the request when unset."
	templateIDDescription  = "Identifier of the message template to fill in. Left out of the request when unset."
	fieldsDescription      = "Values for the template, by the template's keys."
)

func channelsValidators() []validator.List {
	return []validator.List{listvalidator.SizeAtLeast(1), listvalidator.NoNullValues(), distinctFields{}}
}

func recipientValidators() []validator.List {
	return []validator.List{listvalidator.SizeAtLeast(1), listvalidator.NoNullValues(), listvalidator.ValueStringsAre(nonBlank{})}
}

func fieldsValidators() []validator.Map { return []validator.Map{mapvalidator.NoNullValues()} }

func textValidators() []validator.String { return []validator.String{nonBlank{}} }

// The values of priority are those of the service's page, section 2.
func priorityValidators() []validator.String {
	return []validator.String{choice{"Invalid priority", []string{"HIGH", "NORMAL", "BATCH"}}}
}

// resourceChannels is the attribute channels of the resource.
func resourceChannels() schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: textValidators()}
	}
	channels := schema.ListNestedAttribute{
		Required:            true,
		MarkdownDescription: channelsDescription + " A change is not sent unless `resend_on_change` is true or `triggers` change too. Plan and state hold them in plain text, but for `fields_wo`.",
		Validators:          channelsValidators(),
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{Required: true, MarkdownDescription: typeDescription, Validators: textValidators()},
			"recipient": schema.ListAttribute{
				Optional: true, ElementType: types.StringType, MarkdownDescription: recipientDescription, Validators: recipientValidators(),
			},
			"subject":      text(subjectDescription),
			"content_type": text(contentTypeDescription),
			"template_id":  text(templateIDDescription),
			"fields": schema.MapAttribute{
				Optional: true, ElementType: types.StringType, MarkdownDescription: fieldsDescription, Validators: fieldsValidators(),
			},
			// Write-only, so in no plan and no state. Were it sensitive besides, Terraform
			// would write 425 bytes about it into the state for every channel.
			"fields_wo": schema.MapAttribute{
				Optional: true, WriteOnly: true, ElementType: types.StringType, Validators: fieldsValidators(),
				MarkdownDescription: "Like `fields`, and sent together with them, but kept out of plan and state. " +
					"No key may be in both. " +
					"Terraform does not see when these values change: change `triggers` to send again. " +
					"Needs Terraform or OpenTofu 1.11 or newer.",
			},
		}},
	}
	// These types are what they would be anyway. Without them the framework makes
	// them anew at every step to every attribute.
	channel := channels.NestedObject.Type()
	channels.NestedObject.CustomType = channel
	channels.CustomType = types.ListType{ElemType: channel}
	return channels
}

// actionChannels is the attribute channels of the action: the same without fields_wo. The framework
// refuses write-only attributes of actions, and Terraform 1.16 drops ephemeral values from an
// action that is invoked by hand, so that it would be sent without them.
func actionChannels() actionschema.Attribute {
	text := func(description string) actionschema.StringAttribute {
		return actionschema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: textValidators()}
	}
	return actionschema.ListNestedAttribute{
		Required:            true,
		MarkdownDescription: channelsDescription,
		Validators:          channelsValidators(),
		NestedObject: actionschema.NestedAttributeObject{Attributes: map[string]actionschema.Attribute{
			"type": actionschema.StringAttribute{Required: true, MarkdownDescription: typeDescription, Validators: textValidators()},
			"recipient": actionschema.ListAttribute{
				Optional: true, ElementType: types.StringType, MarkdownDescription: recipientDescription, Validators: recipientValidators(),
			},
			"subject":      text(subjectDescription),
			"content_type": text(contentTypeDescription),
			"template_id":  text(templateIDDescription),
			"fields": actionschema.MapAttribute{
				Optional: true, ElementType: types.StringType, MarkdownDescription: fieldsDescription, Validators: fieldsValidators(),
			},
		}},
	}
}
