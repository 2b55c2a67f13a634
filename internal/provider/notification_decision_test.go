package provider

import (
	"bytes"
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
		subject          = types.StringValue("two")
		two              = newChannels(t, map[string]attr.Value{"subject": subject})
		maybeTwo         = newChannels(t, map[string]attr.Value{"subject": types.StringUnknown()})
		batch, maybe     = types.StringValue("BATCH"), types.StringUnknown()
		noChannels       = types.ListNull(two.ElementType(t.Context()))
		noTriggers       = types.MapNull(types.StringType)
		maybeTriggers    = types.MapUnknown(types.StringType)
		empty            = types.MapValueMust(types.StringType, nil)
		maybeRelease     = types.MapValueMust(types.StringType,
			map[string]attr.Value{"release": types.StringUnknown()})
		more = types.MapValueMust(types.StringType, map[string]attr.Value{
			"release": types.StringValue("1"), "region": types.StringNull(),
		})
	)
	type edit func(*notificationModel)
	channels := func(v types.List) edit { return func(m *notificationModel) { m.Channels = v } }
	priority := func(v types.String) edit { return func(m *notificationModel) { m.Priority = v } }
	trigger := func(v types.Map) edit { return func(m *notificationModel) { m.Triggers = v } }
	resend := func(v types.Bool) edit { return func(m *notificationModel) { m.ResendOnChange = v } }
	asSubmitted := func(v types.Bool) edit { return func(m *notificationModel) { m.AsSubmitted = v } }
	// moved is what a move leaves, and imported what an import leaves.
	moved := func(triggers types.Map) edit {
		return func(m *notificationModel) {
			*m = notificationModel{Channels: noChannels, Triggers: triggers, AsSubmitted: no}
		}
	}
	imported := func(m *notificationModel) {
		moved(noTriggers)(m)
		m.NotificationID = types.StringValue("n-1")
	}
	type edits []edit
	for name, test := range map[string]struct {
		state, plan edits // of what exists
		asSubmitted types.Bool
		replaceFor  string
		unsent      string
	}{
		"nothing":                {nil, nil, yes, "", ""},
		"nothing, after an edit": {edits{asSubmitted(no)}, edits{asSubmitted(no)}, no, "", ""},
		"channels":               {nil, edits{channels(two)}, no, "", "channels"},
		"channels and priority": {
			nil, edits{channels(two), priority(batch)}, no, "", "channels priority",
		},
		"an edit that is undone": {edits{channels(two), asSubmitted(no)}, nil, yes, "", ""},
		"unknown channels":       {nil, edits{channels(maybeTwo)}, unknown, "", "channels?"},
		"unknown priority":       {nil, edits{priority(maybe)}, unknown, "", "priority?"},

		"triggers":                        {nil, edits{trigger(triggers("2"))}, yes, "triggers", ""},
		"one more trigger, which is null": {nil, edits{trigger(more)}, yes, "triggers", ""},
		"unknown triggers":                {nil, edits{trigger(maybeTriggers)}, yes, "triggers", ""},
		"first triggers":                  {edits{trigger(noTriggers)}, nil, yes, "triggers", ""},
		"last triggers":                   {nil, edits{trigger(noTriggers)}, yes, "triggers", ""},
		"null and empty triggers": {
			edits{trigger(noTriggers)}, edits{trigger(empty)}, yes, "", "",
		},
		"triggers and channels": {
			nil, edits{channels(two), trigger(triggers("2"))}, no, "triggers", "",
		},

		"resend_on_change alone": {nil, edits{resend(yes)}, yes, "", ""},
		"resend_on_change and channels": {
			nil, edits{channels(two), resend(yes)}, no, "channels", "",
		},
		"resend_on_change, channels, priority and triggers": {
			nil, edits{channels(two), priority(batch), resend(yes), trigger(triggers("2"))},
			no, "triggers channels priority", "",
		},
		"unknown resend_on_change alone": {nil, edits{resend(unknown)}, yes, "", ""},
		"unknown resend_on_change and channels": {
			nil, edits{channels(two), resend(unknown)}, no, "", "channels",
		},
		"unknown resend_on_change and an edit that is undone": {
			edits{channels(two), asSubmitted(no)}, edits{resend(unknown)}, yes, "", "channels",
		},
		"unknown resend_on_change and triggers": {
			nil, edits{channels(two), resend(unknown), trigger(triggers("2"))}, no, "triggers", "",
		},

		"imported": {edits{imported}, edits{resend(yes)}, no, "", ""},
		"imported, filled in later": {
			edits{channels(noChannels), priority(types.StringNull()), trigger(noTriggers),
				asSubmitted(no)}, nil, no, "", "",
		},
		"imported, channels filled in later": {
			edits{channels(noChannels), trigger(noTriggers), asSubmitted(no)}, nil, no, "", "",
		},
		"imported, other triggers": {
			edits{channels(noChannels), asSubmitted(no)}, edits{trigger(triggers("2"))},
			no, "triggers", "",
		},
		"moved":                      {edits{moved(triggers("1"))}, edits{resend(yes)}, no, "", ""},
		"moved with another release": {edits{moved(triggers("0"))}, nil, no, "triggers", ""},
		"moved with an unknown release": {
			edits{moved(triggers("1"))}, edits{trigger(maybeRelease)}, no, "triggers", "",
		},
		"moved with unknown triggers": {
			edits{moved(triggers("1"))}, edits{trigger(maybeTriggers)}, no, "triggers", "",
		},
	} {
		state, submitted := existing(t)
		plan, _ := existing(t)
		for _, change := range test.state {
			change(&state)
		}
		for _, change := range test.plan {
			change(&plan)
		}
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
			strings.Join(unsent, " ") != test.unsent ||
			d.undecided != plan.ResendOnChange.IsUnknown() {
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
	const yes, no, another = true, false, "idempotency_key"
	for name, test := range map[string]struct {
		state, plan types.String
		sent        string // key under which it was submitted; empty for a random one
		triggers    bool   // whether they change
		imported    bool
		replaceFor  string
		repeats     bool
		counts      string // key that counts as this notification's in the plan
	}{
		"none":                          {none, none, "", no, no, "", no, ""},
		"none, triggers":                {none, none, "", yes, no, "triggers", no, ""},
		"kept":                          {one, one, "one", no, no, "", no, "one"},
		"kept, triggers":                {one, one, "one", yes, no, "triggers", yes, "one"},
		"another":                       {one, two, "one", no, no, another, no, "two"},
		"another, triggers":             {one, two, "one", yes, no, "triggers " + another, no, "two"},
		"unknown":                       {one, unknown, "one", no, no, another, no, "one"},
		"unknown, triggers":             {one, unknown, "one", yes, no, "triggers " + another, no, "one"},
		"first":                         {none, one, "", no, no, "", no, ""},
		"first, triggers":               {none, one, "", yes, no, "triggers", no, ""},
		"first, unknown":                {none, unknown, "", no, no, "", no, ""},
		"removed":                       {one, none, "one", no, no, "", no, "one"},
		"removed, triggers":             {one, none, "one", yes, no, "triggers", no, "one"},
		"set again":                     {none, one, "one", no, no, "", no, "one"},
		"set again, triggers":           {none, one, "one", yes, no, "triggers", yes, "one"},
		"never sent under, triggers":    {two, two, "one", yes, no, "triggers", no, "one"},
		"back to the one that was sent": {two, one, "one", no, no, another, yes, "one"},
		"imported":                      {none, none, "", no, yes, "", no, ""},
		"imported, first, triggers":     {none, one, "", yes, yes, "", no, "one"},
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
		digestOf := func(key string) []byte {
			if key == "" {
				return nil
			}
			return keyDigest(key)
		}
		sent := digestOf(test.sent)
		d, diags := plan.decide(t.Context(), state, submitted, sent)
		if diags.HasError() || strings.Join(d.replaceFor, " ") != test.replaceFor ||
			(d.keyUsed && len(d.replaceFor) > 0) != test.repeats ||
			!d.asSubmitted.ValueBool() || len(d.unsent) > 0 {
			t.Errorf("%s: %+v, %v", name, d, diags)
		}
		counts, submits := d.keyInPlan(plan, state, sent)
		if !bytes.Equal(counts, digestOf(test.counts)) ||
			submits != (strings.HasSuffix(test.replaceFor, another) && !test.plan.IsUnknown()) {
			t.Errorf("%s: another key than %q counts, submits %t", name, test.counts, submits)
		}
	}
}
