package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

// submissionKey is where private state holds the submissionDigest.
const submissionKey = "submission"

// submissionDigest identifies channels and priority as they were submitted: 128
// bits of SHA-256 as a JSON string, which is what private state can hold. The
// write-only fields are not part of it: nothing derived from those is stored. It is
// short because Terraform writes the whole state after every resource of an apply.
func submissionDigest(request client.NotificationRequest) ([]byte, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return json.Marshal(base64.RawStdEncoding.EncodeToString(sum[:16]))
}

// privateState is what the framework gives for the private state of a resource.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// rememberSubmission keeps the digest of what was submitted. That it cannot is a warning: an
// error would taint the resource, and the next apply would send it again.
func rememberSubmission(
	ctx context.Context, private privateState, request client.NotificationRequest,
) (diags diag.Diagnostics) {
	digest, err := submissionDigest(request)
	if err == nil {
		for _, d := range private.SetKey(ctx, submissionKey, digest).Errors() {
			err = errors.Join(err, fmt.Errorf("%s: %s", d.Summary(), d.Detail()))
		}
	}
	if err != nil {
		diags.AddWarning("Unable to remember what was submitted", fmt.Sprintf(
			"The notification was submitted. If channels or priority are edited later and the edit is "+
				"undone, as_submitted stays false. %s", err))
	}
	return diags
}

// asSubmitted is the attribute of that name for a plan in place of state: unknown
// while an argument is, and false when it is not known what was submitted.
func (m notificationModel) asSubmitted(ctx context.Context, state notificationModel, private privateState) (types.Bool, diag.Diagnostics) {
	if len(m.changes(ctx, state)) == 0 {
		return state.AsSubmitted, nil
	}
	submitted, diags := private.GetKey(ctx, submissionKey)
	if len(submitted) == 0 {
		return types.BoolValue(false), diags
	}
	if !allKnown(ctx, m.Priority) || !allKnown(ctx, m.Channels) {
		return types.BoolUnknown(), diags
	}
	request, more := notificationRequest(m.Priority, m.Channels, m.Channels)
	diags.Append(more...)
	planned, err := submissionDigest(request)
	if err != nil {
		diags.AddError("Unable to compare the notification with what was submitted", err.Error())
	}
	return types.BoolValue(bytes.Equal(planned, submitted)), diags
}
