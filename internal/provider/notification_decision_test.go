package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// existing is a notification in the state.
func existing() (m notificationModel) {
	m.Channels = newChannels(types.StringValue("one"))
	m.Priority = types.StringValue("HIGH")
	m.Triggers = triggers("1")
	m.ResendOnChange = types.BoolValue(false)
	m.AsSubmitted = types.BoolValue(true)
	return m
}

// newChannels is a list of one channel with the subject.
func newChannels(subject types.String) types.List {
	channels := resourceChannels().GetType().(types.ListType)
	kinds := channels.ElemType.(types.ObjectType).AttrTypes
	none := types.MapNull(types.StringType)
	channel := types.ObjectValueMust(kinds, map[string]attr.Value{
		"type": types.StringValue("slack"), "recipient": types.ListNull(types.StringType),
		"subject": subject, "content_type": types.StringNull(), "template_id": types.StringNull(),
		"fields": none, "fields_wo": none,
	})
	return types.ListValueMust(channels.ElemType, []attr.Value{channel})
}

func triggers(release string) types.Map {
	return types.MapValueMust(types.StringType, map[string]attr.Value{
		"release": types.StringValue(release),
	})
}

// edit is a difference to the existing notification.
type edit func(*notificationModel)

func (change edit) to(m notificationModel) notificationModel {
	if change != nil {
		change(&m)
	}
	return m
}

func edits(all ...edit) edit {
	return func(m *notificationModel) {
		for _, one := range all {
			one(m)
		}
	}
}

// Each change of a plan: as_submitted, what it replaces, and what it leaves unsent, with a question
// mark where that is not certain.
func TestDecide(t *testing.T) {
	t.Parallel()
	var (
		yes, no, unknown = types.BoolValue(true), types.BoolValue(false), types.BoolUnknown()
		null             = types.BoolNull()
		two              = newChannels(types.StringValue("two"))
		maybeTwo         = newChannels(types.StringUnknown())
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
	channels := func(v types.List) edit { return func(m *notificationModel) { m.Channels = v } }
	priority := func(v types.String) edit { return func(m *notificationModel) { m.Priority = v } }
	batch, maybe := priority(types.StringValue("BATCH")), priority(types.StringUnknown())
	trigger := func(v types.Map) edit { return func(m *notificationModel) { m.Triggers = v } }
	resend := func(v types.Bool) edit { return func(m *notificationModel) { m.ResendOnChange = v } }
	submitted := func(v types.Bool) edit { return func(m *notificationModel) { m.AsSubmitted = v } }
	// moved is what a move leaves, and imported what an import leaves.
	moved := func(triggers types.Map) edit {
		return func(m *notificationModel) {
			*m = notificationModel{Triggers: triggers, AsSubmitted: no}
			m.Channels = noChannels
		}
	}
	imported := edits(moved(noTriggers),
		func(m *notificationModel) { m.NotificationID = types.StringValue("n-1") })
	for name, test := range map[string]struct {
		state, plan edit // of what exists
		asSubmitted types.Bool
		replaceFor  string
		unsent      string
	}{
		"nothing":                {nil, nil, yes, "", ""},
		"nothing, after an edit": {submitted(no), submitted(no), no, "", ""},
		"nothing, older state":   {submitted(null), submitted(null), null, "", ""},
		"channels":               {nil, channels(two), no, "", "channels"},
		"channels, older state":  {submitted(null), channels(two), no, "", "channels"},
		"channels and priority":  {nil, edits(channels(two), batch), no, "", "channels priority"},
		"an edit that is undone": {edits(channels(two), submitted(no)), nil, no, "", "channels"},
		"unknown channels":       {nil, channels(maybeTwo), unknown, "", "channels?"},
		"unknown channels, older state": {
			submitted(null), channels(maybeTwo), unknown, "", "channels?",
		},
		"unknown channels, after an edit": {submitted(no), channels(maybeTwo), no, "", "channels?"},
		"unknown priority":                {nil, maybe, unknown, "", "priority?"},
		"channels and unknown priority": {
			nil, edits(channels(two), maybe), no, "", "channels priority?",
		},
		"unknown channels and priority": {
			nil, edits(channels(maybeTwo), batch), no, "", "channels? priority",
		},

		"triggers":                        {nil, trigger(triggers("2")), yes, "triggers", ""},
		"one more trigger, which is null": {nil, trigger(more), yes, "triggers", ""},
		"unknown triggers":                {nil, trigger(maybeTriggers), yes, "triggers", ""},
		"an unknown trigger":              {nil, trigger(maybeRelease), yes, "triggers", ""},
		"first triggers":                  {trigger(noTriggers), nil, yes, "triggers", ""},
		"last triggers":                   {nil, trigger(noTriggers), yes, "triggers", ""},
		"null and empty triggers":         {trigger(noTriggers), trigger(empty), yes, "", ""},
		"triggers and channels": {
			nil, edits(channels(two), trigger(triggers("2"))), no, "triggers", "",
		},

		"resend_on_change alone":        {nil, resend(yes), yes, "", ""},
		"resend_on_change and channels": {nil, edits(channels(two), resend(yes)), no, "channels", ""},
		"resend_on_change and unknown channels": {
			nil, edits(channels(maybeTwo), resend(yes)), unknown, "channels", "",
		},
		"resend_on_change, channels, priority and triggers": {
			nil, edits(channels(two), batch, resend(yes), trigger(triggers("2"))),
			no, "triggers channels priority", "",
		},
		"unknown resend_on_change alone": {nil, resend(unknown), yes, "", ""},
		"unknown resend_on_change and channels": {
			nil, edits(channels(two), resend(unknown)), no, "", "channels",
		},
		"unknown resend_on_change and triggers": {
			nil, edits(channels(two), resend(unknown), trigger(triggers("2"))), no, "triggers", "",
		},

		"imported": {imported, resend(yes), no, "", ""},
		"imported, filled in later": {
			edits(channels(noChannels), priority(types.StringNull()), trigger(noTriggers),
				submitted(no)), nil, no, "", "",
		},
		"imported, channels filled in later": {
			edits(channels(noChannels), trigger(noTriggers), submitted(no)), nil, no, "", "",
		},
		"imported, other triggers": {
			edits(channels(noChannels), submitted(no)), trigger(triggers("2")), no, "triggers", "",
		},
		"moved":                      {moved(triggers("1")), resend(yes), no, "", ""},
		"moved with another release": {moved(triggers("0")), nil, no, "triggers", ""},
		"moved with an unknown release": {
			moved(triggers("1")), trigger(maybeRelease), no, "triggers", "",
		},
		"moved with unknown triggers": {
			moved(triggers("1")), trigger(maybeTriggers), no, "triggers", "",
		},
	} {
		state, plan := test.state.to(existing()), test.plan.to(existing())
		d := plan.decide(t.Context(), state)
		var unsent []string
		for _, c := range d.unsent {
			if !c.certain {
				c.argument += "?"
			}
			unsent = append(unsent, c.argument)
		}
		if !d.asSubmitted.Equal(test.asSubmitted) ||
			strings.Join(d.replaceFor, " ") != test.replaceFor ||
			strings.Join(unsent, " ") != test.unsent ||
			d.undecided != plan.ResendOnChange.IsUnknown() || d.unannounced || d.sameKey {
			t.Errorf("%s: %+v", name, d)
		}
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
		plan := existing()
		state := notificationModel{Triggers: test.old}
		state.Channels = types.ListNull(plan.Channels.ElementType(t.Context()))
		plan.Triggers = test.planned
		d := plan.decide(t.Context(), state)
		if d.unannounced != test.unannounced || test.unannounced && len(d.replaceFor) > 0 {
			t.Errorf("%s to %s: %+v", test.old, test.planned, d)
		}
	}
}

// Another key in the place of one is a new notification; a first one, or none any more, is not. What
// is submitted for another reason needs another key than that of the state.
func TestDecide_keys(t *testing.T) {
	t.Parallel()
	none, one, two := types.StringNull(), types.StringValue("one"), types.StringValue("two")
	unknown := types.StringUnknown()
	const yes, no, another = true, false, "idempotency_key"
	for name, test := range map[string]struct {
		state, plan types.String
		triggers    bool // whether they change
		imported    bool
		replaceFor  string
		refused     bool
	}{
		"none":                      {none, none, no, no, "", no},
		"none, triggers":            {none, none, yes, no, "triggers", no},
		"kept":                      {one, one, no, no, "", no},
		"kept, triggers":            {one, one, yes, no, "triggers", yes},
		"another":                   {one, two, no, no, another, no},
		"another, triggers":         {one, two, yes, no, "triggers " + another, no},
		"unknown":                   {one, unknown, no, no, another, no},
		"unknown, triggers":         {one, unknown, yes, no, "triggers " + another, no},
		"first":                     {none, one, no, no, "", no},
		"first, triggers":           {none, one, yes, no, "triggers", no},
		"first, unknown":            {none, unknown, no, no, "", no},
		"removed":                   {one, none, no, no, "", no},
		"removed, triggers":         {one, none, yes, no, "triggers", no},
		"imported":                  {none, none, no, yes, "", no},
		"imported, first, triggers": {none, one, yes, yes, "", no},
	} {
		state, plan := existing(), existing()
		state.IdempotencyKey, plan.IdempotencyKey = test.state, test.plan
		if test.triggers {
			plan.Triggers = triggers("2")
		}
		if test.imported {
			state.ResendOnChange = types.BoolNull()
			state.NotificationID = types.StringValue("n-1")
		}
		d := plan.decide(t.Context(), state)
		if strings.Join(d.replaceFor, " ") != test.replaceFor ||
			d.diagnostics(state).HasError() != test.refused ||
			!d.asSubmitted.ValueBool() || len(d.unsent) > 0 {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
