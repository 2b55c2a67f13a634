package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// existing is a notification in the state, and the digest of what was submitted.
func existing(t *testing.T) (m notificationModel, submitted []byte) {
	t.Helper()
	m = notificationModel{
		Channels:       newChannels(t, map[string]attr.Value{"subject": types.StringValue("one")}),
		Priority:       types.StringValue("HIGH"),
		Triggers:       triggers("1"),
		ResendOnChange: types.BoolValue(false),
		AsSubmitted:    types.BoolValue(true),
	}
	request, diags := notificationRequest(m.Priority, m.Channels, m.Channels)
	if diags.HasError() {
		t.Fatal(diags)
	}
	submitted, err := submissionDigest(request)
	if err != nil {
		t.Fatal(err)
	}
	return m, submitted
}

func triggers(release string) types.Map {
	return types.MapValueMust(types.StringType, map[string]attr.Value{
		"release": types.StringValue(release),
	})
}

// Each change of a plan, what it replaces, what it leaves unsent, and as_submitted.
func TestDecide(t *testing.T) {
	t.Parallel()
	var (
		yes, no, unknown = types.BoolValue(true), types.BoolValue(false), types.BoolUnknown()
		noTriggers       = types.MapNull(types.StringType)
		subject          = types.StringValue("two")
		two              = newChannels(t, map[string]attr.Value{"subject": subject})
		maybeTwo         = newChannels(t, map[string]attr.Value{"subject": types.StringUnknown()})
		batch            = types.StringValue("BATCH")
		noChannels       = types.ListNull(two.ElementType(t.Context()))
	)
	// arrived is what an import or a move leaves.
	arrived := func(triggers types.Map) notificationModel {
		return notificationModel{
			Channels: noChannels, Priority: types.StringNull(), Triggers: triggers,
			ResendOnChange: types.BoolNull(), AsSubmitted: no,
		}
	}
	type plans func(state, plan *notificationModel)
	for name, test := range map[string]struct {
		change      plans
		asSubmitted types.Bool
		replaceFor  string
		unsent      string
		undecided   bool
	}{
		"nothing": {func(_, _ *notificationModel) {}, yes, "", "", false},
		"nothing, after an edit": {
			func(state, plan *notificationModel) { state.AsSubmitted, plan.AsSubmitted = no, no },
			no, "", "", false,
		},
		"channels": {
			func(_, plan *notificationModel) { plan.Channels = two }, no, "", "channels", false,
		},
		"channels and priority": {
			func(_, plan *notificationModel) { plan.Channels, plan.Priority = two, batch },
			no, "", "channels priority", false,
		},
		"an edit that is undone": {
			func(state, _ *notificationModel) { state.Channels, state.AsSubmitted = two, no },
			yes, "", "", false,
		},
		"unknown channels": {
			func(_, plan *notificationModel) { plan.Channels = maybeTwo },
			unknown, "", "channels?", false,
		},
		"unknown priority": {
			func(_, plan *notificationModel) { plan.Priority = types.StringUnknown() },
			unknown, "", "priority?", false,
		},
		"triggers": {
			func(_, plan *notificationModel) { plan.Triggers = triggers("2") },
			yes, "triggers", "", false,
		},
		"one more trigger, which is null": {
			func(_, plan *notificationModel) {
				plan.Triggers = types.MapValueMust(types.StringType, map[string]attr.Value{
					"release": types.StringValue("1"), "region": types.StringNull(),
				})
			}, yes, "triggers", "", false,
		},
		"unknown triggers": {
			func(_, plan *notificationModel) { plan.Triggers = types.MapUnknown(types.StringType) },
			yes, "triggers", "", false,
		},
		"first triggers": {
			func(state, _ *notificationModel) { state.Triggers = noTriggers },
			yes, "triggers", "", false,
		},
		"last triggers": {
			func(_, plan *notificationModel) { plan.Triggers = noTriggers },
			yes, "triggers", "", false,
		},
		"null and empty triggers": {
			func(state, plan *notificationModel) {
				state.Triggers = noTriggers
				plan.Triggers = types.MapValueMust(types.StringType, nil)
			}, yes, "", "", false,
		},
		"triggers and channels": {
			func(_, plan *notificationModel) { plan.Channels, plan.Triggers = two, triggers("2") },
			no, "triggers", "", false,
		},
		"resend_on_change alone": {
			func(_, plan *notificationModel) { plan.ResendOnChange = yes }, yes, "", "", false,
		},
		"resend_on_change and channels": {
			func(_, plan *notificationModel) { plan.Channels, plan.ResendOnChange = two, yes },
			no, "channels", "", false,
		},
		"resend_on_change, channels, priority and triggers": {
			func(_, plan *notificationModel) {
				plan.Channels, plan.Priority, plan.ResendOnChange = two, batch, yes
				plan.Triggers = triggers("2")
			}, no, "triggers channels priority", "", false,
		},
		"unknown resend_on_change alone": {
			func(_, plan *notificationModel) { plan.ResendOnChange = unknown }, yes, "", "", true,
		},
		"unknown resend_on_change and channels": {
			func(_, plan *notificationModel) { plan.Channels, plan.ResendOnChange = two, unknown },
			no, "", "channels", true,
		},
		"unknown resend_on_change and an edit that is undone": {
			func(state, plan *notificationModel) {
				state.Channels, state.AsSubmitted, plan.ResendOnChange = two, no, unknown
			}, yes, "", "channels", true,
		},
		"unknown resend_on_change and triggers": {
			func(_, plan *notificationModel) {
				plan.Channels, plan.ResendOnChange, plan.Triggers = two, unknown, triggers("2")
			}, no, "triggers", "", true,
		},
		"imported": {
			func(state, plan *notificationModel) {
				*state = arrived(noTriggers)
				state.NotificationID = types.StringValue("n-1")
				plan.ResendOnChange = yes
			}, no, "", "", false,
		},
		"moved": {
			func(state, plan *notificationModel) {
				*state, plan.ResendOnChange = arrived(triggers("1")), yes
			}, no, "", "", false,
		},
		"moved with another release": {
			func(state, _ *notificationModel) { *state = arrived(triggers("0")) },
			no, "triggers", "", false,
		},
		"moved with an unknown release": {
			func(state, plan *notificationModel) {
				*state = arrived(triggers("1"))
				plan.Triggers = types.MapValueMust(types.StringType, map[string]attr.Value{
					"release": types.StringUnknown(),
				})
			}, no, "triggers", "", false,
		},
		"moved with unknown triggers": {
			func(state, plan *notificationModel) {
				*state = arrived(triggers("1"))
				plan.Triggers = types.MapUnknown(types.StringType)
			}, no, "triggers", "", false,
		},
		"imported, filled in later": {
			func(state, _ *notificationModel) {
				state.Channels, state.Priority = noChannels, types.StringNull()
				state.Triggers, state.AsSubmitted = noTriggers, no
			}, no, "", "", false,
		},
		"imported, channels filled in later": {
			func(state, _ *notificationModel) {
				state.Channels, state.Triggers, state.AsSubmitted = noChannels, noTriggers, no
			}, no, "", "", false,
		},
		"imported, other triggers": {
			func(state, plan *notificationModel) {
				state.Channels, state.AsSubmitted = noChannels, no
				plan.Triggers = triggers("2")
			}, no, "triggers", "", false,
		},
	} {
		state, submitted := existing(t)
		plan, _ := existing(t)
		test.change(&state, &plan)
		d, diags := plan.decide(t.Context(), state, submitted, nil)
		var unsent []string
		for _, c := range d.unsent {
			if !c.certain {
				c.argument += "?"
			}
			unsent = append(unsent, c.argument)
		}
		if diags.HasError() || !d.asSubmitted.Equal(test.asSubmitted) ||
			strings.Join(d.replaceFor, " ") != test.replaceFor ||
			strings.Join(unsent, " ") != test.unsent || d.undecided != test.undecided {
			t.Errorf("%s: as_submitted %s, replaced for %q, unsent %q, undecided %t, %v", name,
				d.asSubmitted, d.replaceFor, unsent, d.undecided, diags)
		}
	}
}

// Without a digest it is not known what was submitted, so a change is not undone.
func TestDecide_nothingRecorded(t *testing.T) {
	t.Parallel()
	state, _ := existing(t)
	plan, _ := existing(t)
	state.Priority = types.StringValue("BATCH")
	d, diags := plan.decide(t.Context(), state, nil, nil)
	if diags.HasError() || !d.asSubmitted.Equal(types.BoolValue(false)) ||
		!slices.Equal(d.unsent, []change{{"priority", true}}) {
		t.Errorf("%+v, %v", d, diags)
	}
}

// Where nobody can tell whether the old resource would have run again, a move sends nothing and says
// so.
func TestDecide_movedWithoutTriggers(t *testing.T) {
	t.Parallel()
	none, one := types.MapNull(types.StringType), triggers("1")
	empty := types.MapValueMust(types.StringType, nil)
	other := types.MapValueMust(types.StringType, map[string]attr.Value{
		"run": types.StringValue("1"),
	})
	for _, test := range []struct {
		old, planned types.Map
		unannounced  bool
	}{
		{one, one, false}, {triggers("0"), one, false},
		{none, none, true}, {empty, none, false}, {empty, empty, false}, {none, one, true},
		{empty, one, true}, {empty, types.MapUnknown(types.StringType), true},
		{other, one, true}, {one, none, true}, {one, empty, true},
		{none, types.MapUnknown(types.StringType), true},
	} {
		plan, submitted := existing(t)
		state := notificationModel{
			Channels: types.ListNull(plan.Channels.ElementType(t.Context())), Triggers: test.old,
		}
		plan.Triggers = test.planned
		d, diags := plan.decide(t.Context(), state, submitted, nil)
		if diags.HasError() || d.unannounced != test.unannounced ||
			test.unannounced && len(d.replaceFor) > 0 {
			t.Errorf("%s to %s: %+v, %v", test.old, test.planned, d, diags)
		}
	}
}

// Another key in the place of one is a new notification; a first one, or none any more, is not. What
// is submitted for another reason needs a key that was not used.
func TestDecide_keys(t *testing.T) {
	t.Parallel()
	none, one, two := types.StringNull(), types.StringValue("one"), types.StringValue("two")
	unknown := types.StringUnknown()
	const yes, no = true, false
	for name, test := range map[string]struct {
		state, plan types.String
		sent        string // key under which it was submitted; empty for a random one
		triggers    bool   // whether they change
		imported    bool
		replaceFor  string
		repeats     bool
	}{
		"none":                          {none, none, "", no, no, "", no},
		"none, triggers":                {none, none, "", yes, no, "triggers", no},
		"kept":                          {one, one, "one", no, no, "", no},
		"kept, triggers":                {one, one, "one", yes, no, "triggers", yes},
		"another":                       {one, two, "one", no, no, "idempotency_key", no},
		"another, triggers":             {one, two, "one", yes, no, "triggers idempotency_key", no},
		"unknown":                       {one, unknown, "one", no, no, "idempotency_key", no},
		"unknown, triggers":             {one, unknown, "one", yes, no, "triggers idempotency_key", no},
		"first":                         {none, one, "", no, no, "", no},
		"first, triggers":               {none, one, "", yes, no, "triggers", no},
		"first, unknown":                {none, unknown, "", no, no, "", no},
		"removed":                       {one, none, "one", no, no, "", no},
		"removed, triggers":             {one, none, "one", yes, no, "triggers", no},
		"set again":                     {none, one, "one", no, no, "", no},
		"set again, triggers":           {none, one, "one", yes, no, "triggers", yes},
		"never sent under, triggers":    {two, two, "one", yes, no, "triggers", no},
		"back to the one that was sent": {two, one, "one", no, no, "idempotency_key", yes},
		"imported, first, triggers":     {none, one, "", yes, yes, "", no},
	} {
		state, submitted := existing(t)
		plan, _ := existing(t)
		state.IdempotencyKey, plan.IdempotencyKey = test.state, test.plan
		if test.triggers {
			plan.Triggers = triggers("2")
		}
		if test.imported {
			state.ResendOnChange = types.BoolNull()
			state.NotificationID = types.StringValue("n-1")
		}
		var sent []byte
		if test.sent != "" {
			sent = keyDigest(test.sent)
		}
		d, diags := plan.decide(t.Context(), state, submitted, sent)
		if diags.HasError() || strings.Join(d.replaceFor, " ") != test.replaceFor ||
			(d.keyUsed && len(d.replaceFor) > 0) != test.repeats || !d.asSubmitted.ValueBool() || len(d.unsent) > 0 {
			t.Errorf("%s: %+v, %v", name, d, diags)
		}
	}
}
