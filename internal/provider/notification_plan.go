package provider

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// decision is what a plan means for a notification that exists. Nothing else decides whether a
// change submits a new notification.
type decision struct {
	unannounced bool       // nothing is submitted after a move, whatever the old resource would do
	asSubmitted types.Bool // unknown while an argument is
	replaceFor  []string   // arguments whose change submits a new notification

	// unsent are the changes that are not sent. Where undecided is true, that depends on
	// resend_on_change, which is unknown.
	unsent    []change
	undecided bool

	// keyUsed is true where the key is the one under which the old notification was submitted, so
	// that the service would not submit a new one under it.
	keyUsed bool
}

// decide compares the plan m with state. submitted and key are the digests of what was submitted,
// and under which key; empty where none was recorded.
func (m notificationModel) decide(
	ctx context.Context, state notificationModel, submitted, key []byte,
) (d decision, diags diag.Diagnostics) {
	changes := m.changes(ctx, state)
	d.asSubmitted = state.AsSubmitted
	if len(changes) > 0 {
		d.asSubmitted, diags = m.asSubmitted(ctx, submitted)
	}
	if state.imported() {
		// An import submits nothing. A move submits what the old resource would have submitted.
		switch {
		case !state.moved():
		case !m.sameTriggers(state):
			d.unannounced = true
		case m.triggersChanged(state):
			d.replaceFor = []string{"triggers"}
		}
		return d, diags
	}
	if m.triggersChanged(state) {
		d.replaceFor = append(d.replaceFor, "triggers")
	}
	if m.ResendOnChange.ValueBool() {
		for _, change := range changes {
			d.replaceFor = append(d.replaceFor, change.argument)
		}
	}
	if m.keyChanged(state) {
		d.replaceFor = append(d.replaceFor, "idempotency_key")
	}
	d.keyUsed = bytes.Equal(key, keyDigest(m.IdempotencyKey.ValueString()))
	d.undecided = m.ResendOnChange.IsUnknown()
	if len(d.replaceFor) == 0 && (d.undecided || !d.asSubmitted.ValueBool()) {
		d.unsent = changes
	}
	return d, diags
}

// keyInPlan is the digest of the key that a notification which exists has in the plan m, and whether
// it is submitted under it. sent is the digest of the key under which it was submitted; that of an
// import is recorded when it is filled in.
func (d decision) keyInPlan(
	m, state notificationModel, sent []byte,
) (digest []byte, submits bool) {
	key := m.IdempotencyKey.ValueString()
	submits = slices.Contains(d.replaceFor, "idempotency_key")
	if key != "" && (submits || state.imported()) {
		return keyDigest(key), submits
	}
	return sent, false
}
