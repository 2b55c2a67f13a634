package provider

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The digest is stored in the states of users. If it changed for the same notification, for example
// because a JSON tag was renamed, as_submitted would stay false after a change is undone.
func TestSubmissionDigest_isFrozen(t *testing.T) {
	t.Parallel()
	everything := map[string]attr.Value{
		"recipient": types.ListValueMust(types.StringType,
			[]attr.Value{types.StringValue("C1")}),
		"subject": types.StringValue("<1.4.2> & ü"), "content_type": types.StringValue("md"),
		"template_id": types.StringValue("t"),
		"fields": types.MapValueMust(types.StringType, map[string]attr.Value{
			"a": types.StringValue("1"), "b": types.StringValue(""),
		}),
	}
	for name, test := range map[string]struct {
		channel map[string]attr.Value
		want    string
	}{
		"type alone": {nil, `"k1gjCXVtKl7B9B2g5W2LgQ"`},
		"everything": {everything, `"Aj+VJnqybBHE8AwoXmOy6Q"`},
	} {
		channels := newChannels(t, test.channel)
		request, diags := notificationRequest(types.StringValue("HIGH"), channels, channels)
		if diags.HasError() {
			t.Fatal(diags)
		}
		digest, err := submissionDigest(request)
		if err != nil || string(digest) != test.want {
			t.Errorf("%s: %s, %v, want %s", name, digest, err, test.want)
		}
	}
}

// failingPrivateState cannot be written.
type failingPrivateState struct{}

func (failingPrivateState) GetKey(context.Context, string) ([]byte, diag.Diagnostics) {
	return nil, nil
}

func (failingPrivateState) SetKey(context.Context, string, []byte) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic("no room", "none at all")}
}

// An error would taint the resource, and the next apply would submit the notification again.
func TestRememberSubmission_warns(t *testing.T) {
	t.Parallel()
	channels := newChannels(t, nil)
	request, _ := notificationRequest(types.StringValue("HIGH"), channels, channels)
	diags := rememberSubmission(t.Context(), failingPrivateState{}, request, "key")
	if diags.HasError() || diags.WarningsCount() != 1 {
		t.Errorf("%v", diags)
	}
}
