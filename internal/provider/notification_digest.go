package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

// Where private state holds the submissionDigest and the keyDigest.
const (
	submissionKey     = "submission"
	idempotencyKeyKey = "idempotency_key"
)

// submissionDigest identifies channels and priority as they were submitted: 128 bits of SHA-256 as
// a JSON string, since private state holds JSON. Write-only fields are left out: nothing derived
// from them is stored. The digest is short because Terraform writes the whole state after every
// resource of an apply.
func submissionDigest(request client.NotificationRequest) ([]byte, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return digest(text), nil
}

// keyDigest identifies the user's own key under which a notification was submitted. The argument
// may have another value by now.
func keyDigest(key string) []byte { return digest([]byte(key)) }

func digest(text []byte) []byte {
	sum := sha256.Sum256(text)
	return []byte(strconv.Quote(base64.RawStdEncoding.EncodeToString(sum[:16])))
}

// privateState is the private state of a resource, as the framework passes it.
type privateState interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// rememberSubmission stores the digests of what was submitted and of the key; an empty key is none.
// A failure is only a warning: an error would taint the resource, and the next apply would submit the
// notification again.
func rememberSubmission(
	ctx context.Context, private privateState, request client.NotificationRequest, key string,
) (diags diag.Diagnostics) {
	submitted, err := submissionDigest(request)
	if err == nil {
		failed := private.SetKey(ctx, submissionKey, submitted)
		if key != "" {
			failed.Append(private.SetKey(ctx, idempotencyKeyKey, keyDigest(key))...)
		}
		for _, d := range failed.Errors() {
			err = errors.Join(err, fmt.Errorf("%s: %s", d.Summary(), d.Detail()))
		}
	}
	if err != nil {
		diags.AddWarning("Unable to record what was submitted", fmt.Sprintf(
			"The notification was submitted. If channels or priority are changed later and the "+
				"change is undone, as_submitted stays false. %s", err))
	}
	return diags
}

// asSubmitted is as_submitted for the plan m: whether the digest of its channels and priority is
// submitted. It is unknown while one of them is, and false where no digest was recorded.
func (m notificationModel) asSubmitted(
	ctx context.Context, submitted []byte,
) (types.Bool, diag.Diagnostics) {
	if len(submitted) == 0 {
		return types.BoolValue(false), nil
	}
	if !allKnown(ctx, m.Priority) || !allKnown(ctx, m.Channels) {
		return types.BoolUnknown(), nil
	}
	request, diags := notificationRequest(m.Priority, m.Channels, m.Channels)
	planned, err := submissionDigest(request)
	if err != nil {
		diags.AddError("Unable to compare the notification with what was submitted", err.Error())
	}
	return types.BoolValue(bytes.Equal(planned, submitted)), diags
}
