package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// priorities are the service's. See the service contract, "Submissions".
var priorities = []string{"HIGH", "NORMAL", "BATCH"}

// The values of delivery.
const (
	atLeastOnce = "at_least_once"
	atMostOnce  = "at_most_once"
)

// Texts that the resource and the action share.
const (
	channelsDescription = "The channels to send the notification through, at least one. They share " +
		"one id. There is no body: text goes into `subject`, or into the `fields` of a template. " +
		"Terraform silently drops members that it does not know. Unset members are left out of " +
		"the request. All text must be valid UTF-8."
	priorityDescription = "Priority of the notification: `HIGH`, `NORMAL` or `BATCH`, in " +
		"uppercase. The service defines what each of them means."

	keyDescription = "Key by which the service recognises the notification if it is submitted " +
		"again, even by another run: 1 to 255 visible ASCII characters, such as " +
		"`production/checkout/v1.4.2`. Requires the provider setting `idempotency_key_header`. If " +
		"that is set and this is not, "

	// For the resource only, whose arguments can change.
	keyChangeDescription = "each creation has a random key. Changing one key to another submits a " +
		"new notification; adding or removing the key does not. If `triggers` or " +
		"`resend_on_change` submit a new one, the key must change too."
	notSentDescription = " A change is not sent unless `resend_on_change` is true or `triggers` " +
		"changes too."
)

func notificationSchema(ctx context.Context) schema.Schema {
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		MarkdownDescription: "A notification. Creating the resource submits the notification, " +
			"once; nothing else does. Reading, updating and destroying the resource only affect " +
			"the state, since a notification cannot be withdrawn.",
		Attributes: map[string]schema.Attribute{
			"channels": resourceChannels(),
			"priority": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: priorityDescription + notSentDescription,
				Validators:          []validator.String{stringvalidator.OneOf(priorities...)},
			},
			"triggers": schema.MapAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Any change to these values replaces the resource, which " +
					"submits a new notification. A value that is known only after apply counts as " +
					"changed. Adding or removing `triggers` is a change too, except for an empty " +
					"map. After an import or a move, they are compared with those that it brought.",
				Validators: []validator.Map{validText()},
			},
			"resend_on_change": schema.BoolAttribute{
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(false),
				MarkdownDescription: "Whether a change to `channels` or `priority` also replaces " +
					"the resource, which submits a new notification. If a part of either is known " +
					"only after apply, it counts as changed. If they may change, this argument itself " +
					"must be known in the plan. Defaults to `false`.",
			},
			"delivery": schema.StringAttribute{
				Optional: true,
				Computed: true,
				Default:  stringdefault.StaticString(atLeastOnce),
				MarkdownDescription: "What to do when it is not known whether the service " +
					"accepted the notification. `at_least_once`: an error; nothing is stored, and " +
					"the next apply submits it again. `at_most_once`: a warning; it is stored " +
					"with `confirmed = false` and a null `notification_id`, unless only a gateway " +
					"answered. A 2xx response of the service without a usable id is stored that way " +
					"under either. Changing this argument submits nothing. Defaults to " +
					"`at_least_once`.",
				Validators: []validator.String{stringvalidator.OneOf(atLeastOnce, atMostOnce)},
			},
			"idempotency_key": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: keyDescription + keyChangeDescription,
				Validators:          []validator.String{validKey()},
			},
			"timeouts": timeoutsAttribute(ctx),
			"notification_id": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "Identifier of the notification, as the service returned " +
					"it. Null if `confirmed` is false, and after an import of `unknown`.",
			},
			"id": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "The same as `notification_id`, or `unknown` after such an " +
					"import. Terraform shows it in its output.",
			},
			"submitted_at": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "When the service's response arrived, in UTC (RFC 3339); " +
					"if it was lost, when the request was sent. Null after an import.",
			},
			"confirmed": schema.BoolAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
				MarkdownDescription: "Whether the service responded with a usable id: true after " +
					"create; false if its 2xx response had none, or if `delivery = " +
					"\"at_most_once\"` stored it after a lost answer; null after an import.",
			},
			"as_submitted": schema.BoolAttribute{
				Computed: true,
				MarkdownDescription: "Whether `channels` and `priority` are what was submitted: " +
					"false after a change that was not sent, even once it is undone, and after an " +
					"import.",
			},
		},
	}
}

// timeoutsAttribute is the library's attribute, whose duration must be above zero.
func timeoutsAttribute(ctx context.Context) schema.Attribute {
	const description = "Time limit of the whole submission, retries and waits included: a duration " +
		"above zero, such as `30s` or `10m`. Defaults to 5 minutes. Changing it submits nothing."
	options := timeouts.Opts{Create: true, CreateDescription: description}
	limits, _ := timeouts.Attributes(ctx, options).(schema.SingleNestedAttribute)
	create, _ := limits.Attributes["create"].(schema.StringAttribute)
	create.Validators = append(create.Validators, positiveDuration())
	limits.Attributes["create"] = create
	return limits
}

// channelAttributes returns the attributes of a channel, except fields_wo.
func channelAttributes() map[string]schema.Attribute {
	nonBlankText := []validator.String{validText(), nonBlank()}
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{
			Optional: true, MarkdownDescription: description, Validators: nonBlankText,
		}
	}
	return map[string]schema.Attribute{
		"type": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Type of channel, for example `slack`. The service defines " +
				"which types there are.",
			Validators: nonBlankText,
		},
		"recipient": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Identifiers of the recipients. Their format depends on the type " +
				"of channel. If set, at least one; none may be blank, and `compact()` removes blank " +
				"ones from a list.",
			Validators: []validator.List{listvalidator.SizeAtLeast(1), validText(), nonBlank()},
		},
		"subject":      text("Subject line."),
		"content_type": text("Format of the content, for example `md` for Markdown."),
		"template_id":  text("Identifier of the message template to fill in."),
		"fields": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Values for the placeholders of the template, by name.",
			Validators:          []validator.Map{validText(), noNulls},
		},
	}
}

// resourceChannels returns the resource's attribute channels.
func resourceChannels() schema.Attribute {
	channel := channelAttributes()
	// Write-only values are never in a plan or state. If they were sensitive too, Terraform would
	// add 425 bytes per channel to the state.
	secret, _ := channel["fields"].(schema.MapAttribute)
	secret.WriteOnly = true
	secret.MarkdownDescription = "Like `fields`, and sent together with them, but kept out of plan " +
		"and state. No name may be in both. To send new values, change `triggers`. Requires " +
		"Terraform or OpenTofu 1.11 or later."
	channel["fields_wo"] = secret
	return channelsAttribute(channelsDescription+notSentDescription+" Plan and state contain the "+
		"channels in plain text, except `fields_wo`.", channel)
}

// channelsAttribute returns the attribute channels of the resource or the action. Both schemas take
// attributes by the same interface of the framework, so an action can have those of a resource.
func channelsAttribute(
	description string, attributes map[string]schema.Attribute,
) schema.ListNestedAttribute {
	channel := schema.NestedAttributeObject{
		Attributes: attributes, Validators: []validator.Object{distinctFields},
	}
	// These types equal the default ones. Without them the framework builds the default ones again
	// at every step of every path to an attribute.
	channel.CustomType = channel.Type()
	return schema.ListNestedAttribute{
		Required:            true,
		CustomType:          types.ListType{ElemType: channel.CustomType},
		MarkdownDescription: description,
		Validators:          []validator.List{listvalidator.SizeAtLeast(1), listvalidator.NoNullValues()},
		NestedObject:        channel,
	}
}
