package provider

import (
	"cmp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// keyUses are the uses of the users' own idempotency keys that one configured provider has seen. They
// show where the service recognised a key, or will.
type keyUses struct {
	mu      sync.Mutex
	planned map[string]bool // digests of the keys in a plan; true where one is of a submission
	ended   []keyUse        // submissions, and notifications that were deleted
}

// keyUse is one notification under a key.
type keyUse struct {
	digest  string // of the key; empty where none is known
	id      string // empty where none is known
	request string // id of the submission; empty where this is not from a receipt
}

// plan warns where a submission in the plan has a key that is another's, too. An empty digest is that
// of no key.
func (k *keyUses) plan(digest []byte, submits bool) (diags diag.Diagnostics) {
	if len(digest) == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	other, shared := k.planned[string(digest)]
	if shared && (submits || other) {
		diags.Append(sharedKeyWarning())
	}
	if k.planned == nil {
		k.planned = map[string]bool{}
	}
	k.planned[string(digest)] = submits || other
	return diags
}

// submitted warns where the service may have answered a submission under key with an earlier
// notification. An empty key is a random one.
func (k *keyUses) submitted(key string, receipt *client.Receipt) diag.Diagnostics {
	if key == "" {
		return nil
	}
	return k.compare(keyUse{
		digest: string(keyDigest(key)), id: receipt.NotificationID, request: receipt.ID.Request,
	})
}

// deleted does the same for a notification that is deleted: Terraform may create first what replaces
// it. sent is the digest of the key under which it was submitted, empty where none was recorded.
func (k *keyUses) deleted(state notificationModel, sent []byte) diag.Diagnostics {
	use := keyUse{digest: string(sent)}
	if state.unconfirmed() {
		use.digest = "" // it may not have arrived
	}
	if id := state.NotificationID.ValueString(); !strings.EqualFold(id, unknownID) {
		use.id = id
	}
	return k.compare(use)
}

// compare compares use with those before it. Their ids tell whether the service recognised the key;
// where one has none, the key does. Two that were deleted tell nothing.
func (k *keyUses) compare(use keyUse) (diags diag.Diagnostics) {
	k.mu.Lock()
	defer k.mu.Unlock()
	perhaps := ""
	for _, other := range k.ended {
		switch {
		case use.request == "" && other.request == "":
		case use.id != "" && use.id == other.id:
			diags = diag.Diagnostics{recognisedWarning(use.id)}
		case (use.id == "" || other.id == "") && use.digest != "" && use.digest == other.digest:
			perhaps = cmp.Or(use.request, other.request)
		}
	}
	k.ended = append(k.ended, use)
	if len(diags) == 0 && perhaps != "" {
		diags.Append(maybeRecognisedWarning(perhaps))
	}
	return diags
}
