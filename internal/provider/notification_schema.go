package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The values of delivery.
const (
	atLeastOnce = "at_least_once"
	atMostOnce  = "at_most_once"
)

// notificationSchema is that of the resource.
func notificationSchema() schema.Schema {
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
				Validators:          priorityValidators(),
			},
			"triggers": schema.MapAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Any change to these values replaces the resource, which " +
					"submits a new notification. A value that is known only after apply counts " +
					"as changed: every apply whose plan does not know it submits a new " +
					"notification. Adding or removing `triggers` counts as a change too, unless " +
					"they are empty. Keys and values must be valid UTF-8.",
				Validators: []validator.Map{validText()},
			},
			"resend_on_change": schema.BoolAttribute{
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(false),
				MarkdownDescription: "Whether a change to `channels` or `priority` also replaces " +
					"the resource, which submits a new notification. Channels that are known " +
					"only after apply count as changed: every apply whose plan does not know " +
					"them submits a new notification. Defaults to `false`: such a change is " +
					"recorded but not sent.",
			},
			"delivery": schema.StringAttribute{
				Optional: true,
				Computed: true,
				Default:  stringdefault.StaticString(atLeastOnce),
				Validators: []validator.String{
					oneOf("Invalid delivery", atLeastOnce, atMostOnce),
				},
				MarkdownDescription: "What to do when it is not known whether the service " +
					"accepted the notification, for example because its answer was lost. " +
					"`at_least_once`: an error; nothing is stored, and the next apply submits it " +
					"again. `at_most_once`: a warning; it is stored with `confirmed = false` and " +
					"a null `notification_id`, and is not submitted again unless the resource is " +
					"replaced. Changing this argument submits nothing. Defaults to " +
					"`at_least_once`.",
			},
			"idempotency_key": schema.StringAttribute{
				Optional:            true,
				Validators:          []validator.String{validKey()},
				MarkdownDescription: keyDescription + keyChangeDescription,
			},
			"timeouts": timeoutsAttribute(),
			"notification_id": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "Identifier of the notification, as the service returned " +
					"it. Null if the service accepted the notification without returning a " +
					"usable one, and if `confirmed` is false.",
			},
			"id": schema.StringAttribute{
				Computed: true,
				MarkdownDescription: "The same as `notification_id`, which Terraform shows under " +
					"this name in its output.",
			},
			"submitted_at": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "When the service's response arrived, in UTC (RFC 3339); if " +
					"`confirmed` is false, when the request was sent. Null after an import.",
			},
			"confirmed": schema.BoolAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
				MarkdownDescription: "Whether the service confirmed that it accepted the " +
					"notification: true after create, false if its answer was lost and " +
					"`delivery = \"at_most_once\"` stored it anyway, null after an import.",
			},
			"as_submitted": schema.BoolAttribute{
				Computed: true,
				MarkdownDescription: "Whether `channels` and `priority` are what was submitted: " +
					"false after a change that was not sent, true again once that change is " +
					"undone. False after an import, since it is not known what was submitted.",
			},
		},
	}
}

// timeoutsAttribute differs from timeouts.Attributes in its validator, which would quote the value
// and accept durations that are not above zero.
func timeoutsAttribute() schema.Attribute {
	create := schema.StringAttribute{
		Optional: true,
		MarkdownDescription: "Time limit of the whole submission, retries and waits included: a " +
			"duration such as `30s` or `10m`. Defaults to 5 minutes.",
		Validators: []validator.String{positiveDuration()},
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "Time limits. Changing them submits nothing.",
		Attributes:          map[string]schema.Attribute{"create": create},
		CustomType: timeouts.Type{ObjectType: types.ObjectType{
			AttrTypes: map[string]attr.Type{"create": types.StringType},
		}},
	}
}
