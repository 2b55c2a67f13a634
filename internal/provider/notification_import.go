package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/notification/terraform-provider-notification/internal/client"
)

var _ resource.ResourceWithImportState = (*notificationResource)(nil)

// ImportState cannot check that the id exists: the service offers no lookup of a notification. It
// keeps the triggers that were announced, so that the next plan submits what is new.
func (r *notificationResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	id, triggers, wrong := parseImportID(ctx, req.ID)
	if wrong != "" {
		resp.Diagnostics.AddError(titleImport, wrong)
		return
	}
	if id != "unknown" { // what to import if nobody knows the id
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("notification_id"), id)...)
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("triggers"), triggers)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("as_submitted"), false)...)
}

// parseImportID parses "ID" or `ID {"TRIGGER":"VALUE"}`, with any white space between the two.
// Without triggers, these are null. wrong says what is wrong; it is empty if nothing is.
func parseImportID(
	ctx context.Context, given string,
) (id string, triggers types.Map, wrong string) {
	id, text := given, ""
	end := strings.IndexFunc(given, unicode.IsSpace)
	if end >= 0 {
		id, text = given[:end], strings.TrimSpace(given[end:])
	}
	if _, err := client.CheckNotificationID(id); err != nil {
		return "", triggers, fmt.Sprintf("The import id %s. Nothing was imported. Use the "+
			"notification_id exactly as the service returned it, or write \"unknown\".", err)
	}
	triggers = readTriggers(ctx, []byte(text))
	values := slices.Collect(maps.Values(triggers.Elements()))
	switch {
	case strings.LastIndex(id, "{") > 0, // without a space
		end >= 0 && triggers.IsNull(),
		slices.ContainsFunc(values, attr.Value.IsNull): // such as of a variable that is not set
		return "", triggers, paragraphs("After the id, only a space and the triggers that were announced "+
			"may follow, as a JSON object of strings. Nothing was imported. In a shell, put single quotes "+
			"around both:", importCommand, "Shells of Windows drop inner quotation marks. Use an import "+
			"block there:", indented(`id = "NOTIFICATION_ID ${jsonencode({ TRIGGER = "VALUE" })}"`))
	}
	return id, triggers, ""
}
