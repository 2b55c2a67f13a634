package provider

import (
	"cmp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// keyUses are the uses of the users' own idempotency keys that one configured provider has seen, by
// the digest of the key. They show where the service recognised a key, or will.
type keyUses struct {
	planned sync.Map // of notifications that exist, and of creations

	mu    sync.Mutex
	ended map[string][]keyUse // submissions, and notifications that were deleted
}

// unknownID is what an error recommends for the import of a notification whose id nobody knows.
const unknownID = "unknown"

// keyUse is one notification under a key.
type keyUse struct {
	id      string // empty where none is known
	request string // id of the submission; empty where this is not from a receipt
	sent    bool   // whether it is certain that it was submitted under the key
}

// plan warns where the key of a notification that exists, or of a creation, is also another's. An
// empty digest is that of no key.
func (k *keyUses) plan(digest []byte) (diags diag.Diagnostics) {
	if len(digest) == 0 {
		return nil
	}
	if _, shared := k.planned.LoadOrStore(string(digest), nil); shared {
		diags.Append(sharedKeyWarning())
	}
	return diags
}

// submitted warns where the service may have answered a submission under key with an earlier
// notification. An empty key is a random one.
func (k *keyUses) submitted(key string, receipt *client.Receipt) diag.Diagnostics {
	if key == "" {
		return nil
	}
	return k.compare(keyDigest(key), keyUse{
		id: receipt.NotificationID, request: receipt.ID.Request, sent: true,
	})
}

// deleted does the same for a notification that is deleted: Terraform may create first what replaces
// it. sent is the digest of the key under which it was submitted, empty where none was recorded;
// then its present key may be that.
func (k *keyUses) deleted(state notificationModel, sent []byte) diag.Diagnostics {
	use := keyUse{sent: len(sent) > 0 && !state.unconfirmed()}
	if key := state.IdempotencyKey.ValueString(); len(sent) == 0 && key != "" {
		sent = keyDigest(key)
	}
	if id := state.NotificationID.ValueString(); !strings.EqualFold(id, unknownID) {
		use.id = id
	}
	if len(sent) == 0 || use.id == "" && !use.sent {
		return nil
	}
	return k.compare(sent, use)
}

// compare compares use with those before it. Their ids tell whether the service recognised the key;
// where one has none, the key does, if it is certain that both were submitted under it. Two that
// were deleted tell nothing.
func (k *keyUses) compare(digest []byte, use keyUse) (diags diag.Diagnostics) {
	k.mu.Lock()
	defer k.mu.Unlock()
	perhaps := ""
	for _, other := range k.ended[string(digest)] {
		switch {
		case use.request == "" && other.request == "":
		case use.id != "" && use.id == other.id:
			diags = diag.Diagnostics{recognisedWarning(use.id)}
		case (use.id == "" || other.id == "") && use.sent && other.sent:
			perhaps = cmp.Or(use.request, other.request)
		}
	}
	if k.ended == nil {
		k.ended = map[string][]keyUse{}
	}
	k.ended[string(digest)] = append(k.ended[string(digest)], use)
	if len(diags) == 0 && perhaps != "" {
		diags.Append(maybeRecognisedWarning(perhaps))
	}
	return diags
}
