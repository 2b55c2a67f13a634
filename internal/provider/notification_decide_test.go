package provider

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// existing returns a notification in the state.
func existing(ctx context.Context) (m notificationModel) {
	m.Channels = newChannels(ctx, types.StringValue("one"))
	m.Priority = types.StringValue("HIGH")
	m.Triggers = triggers("1")
	m.ResendOnChange = types.BoolValue(false)
	m.AsSubmitted = types.BoolValue(true)
	return m
}

// newChannels returns a list of one channel with the subject; everything else in it is null.
func newChannels(ctx context.Context, subject types.String) types.List {
	channels := resourceChannels().GetType().(types.ListType)
	channel := channels.ElemType.(types.ObjectType)
	members := map[string]attr.Value{}
	for name, kind := range channel.AttrTypes {
		members[name], _ = kind.ValueFromTerraform(ctx,
			tftypes.NewValue(kind.TerraformType(ctx), nil))
	}
	members["subject"] = subject
	return types.ListValueMust(channel, []attr.Value{types.ObjectValueMust(channel.AttrTypes, members)})
}

func triggers(release string) types.Map {
	return types.MapValueMust(types.StringType, map[string]attr.Value{
		"release": types.StringValue(release),
	})
}

// edit changes the existing notification.
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

// For each change, decide returns as_submitted, what replaces the resource and what stays unsent,
// with a question mark after a value that is not known yet.
func TestDecide(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const replaced = "replace: triggers"
	var (
		yes, no, unknown = types.BoolValue(true), types.BoolValue(false), types.BoolUnknown()
		first            = existing(ctx).Channels.Elements()
		two              = newChannels(ctx, types.StringValue("two"))
		noChannels       = types.ListNull(two.ElementType(ctx))
		more             = types.ListValueMust(two.ElementType(ctx), slices.Repeat(first, 2))
		one, none        = triggers("1"), types.MapNull(types.StringType)
		empty            = types.MapValueMust(types.StringType, nil)
		maybe            = types.MapUnknown(types.StringType)
	)
	of := func(name string, value attr.Value) types.Map {
		return types.MapValueMust(types.StringType, map[string]attr.Value{name: value})
	}
	channels := func(v types.List) edit { return func(m *notificationModel) { m.Channels = v } }
	priority := func(v types.String) edit { return func(m *notificationModel) { m.Priority = v } }
	trigger := func(v types.Map) edit { return func(m *notificationModel) { m.Triggers = v } }
	resend := func(v types.Bool) edit { return func(m *notificationModel) { m.ResendOnChange = v } }
	submitted := func(v types.Bool) edit { return func(m *notificationModel) { m.AsSubmitted = v } }
	key := func(v types.String) edit { return func(m *notificationModel) { m.IdempotencyKey = v } }
	run := of("run", types.StringValue("1"))
	edited, maybeEdited := channels(two), channels(newChannels(ctx, types.StringUnknown()))
	batch, maybeBatch := priority(types.StringValue("BATCH")), priority(types.StringUnknown())
	release, withoutTriggers := trigger(triggers("2")), trigger(none)
	maybeRelease := trigger(of("release", types.StringUnknown()))
	oldState, maybeResend := submitted(types.BoolNull()), resend(unknown)
	key1, key2 := key(types.StringValue("one")), key(types.StringValue("two"))
	maybeKey := key(types.StringUnknown())
	moved := func(triggers types.Map) edit { // the state after a move
		return func(m *notificationModel) {
			*m = notificationModel{Triggers: triggers, AsSubmitted: no}
		}
	}
	imported := func(triggers types.Map) edit { // the state after an import
		return edits(moved(triggers), func(m *notificationModel) { m.ID = types.StringValue("n-1") })
	}
	for name, test := range map[string]struct {
		state, plan edit // of the existing notification
		asSubmitted types.Bool
		want        string
	}{
		"nothing":                         {nil, nil, yes, ""},
		"nothing, after an edit":          {submitted(no), submitted(no), no, ""},
		"nothing, older state":            {oldState, oldState, types.BoolNull(), ""},
		"channels":                        {nil, edited, no, "unsent: channels"},
		"another channel":                 {nil, channels(more), no, "unsent: channels"},
		"channels and priority":           {nil, edits(edited, batch), no, "unsent: channels priority"},
		"an edit that is undone":          {edits(edited, submitted(no)), nil, no, "unsent: channels"},
		"unknown channels":                {nil, maybeEdited, unknown, "unsent: channels?"},
		"unknown channels, older state":   {oldState, maybeEdited, unknown, "unsent: channels?"},
		"unknown channels, after an edit": {submitted(no), maybeEdited, no, "unsent: channels?"},
		"unknown priority":                {nil, maybeBatch, unknown, "unsent: priority?"},
		"priority, perhaps channels": {
			nil, edits(maybeEdited, batch), no, "unsent: channels? priority",
		},

		"triggers":                {nil, release, yes, replaced},
		"unknown triggers":        {nil, trigger(maybe), yes, "replace: triggers?"},
		"a trigger turned null":   {nil, trigger(of("release", types.StringNull())), yes, replaced},
		"first triggers":          {withoutTriggers, nil, yes, replaced},
		"last triggers":           {nil, withoutTriggers, yes, replaced},
		"null and empty triggers": {withoutTriggers, trigger(empty), yes, ""},

		"resend alone":             {nil, resend(yes), yes, ""},
		"resend, channels":         {nil, edits(resend(yes), edited), no, "replace: channels"},
		"resend, unknown channels": {nil, edits(resend(yes), maybeEdited), unknown, "replace: channels?"},
		"resend, all": {
			nil, edits(resend(yes), edited, batch, release), no, "replace: triggers channels priority",
		},
		"unknown resend alone":   {nil, maybeResend, yes, ""},
		"unknown resend, edited": {nil, edits(maybeResend, edited), no, "undecided, unsent: channels"},
		"unknown resend, perhaps edited": {
			nil, edits(maybeResend, maybeEdited), unknown, "undecided, unsent: channels?",
		},
		"unknown resend, edited, release": {nil, edits(maybeResend, edited, release), no, replaced},

		"imported":                        {imported(one), resend(yes), no, ""},
		"imported, unknown resend, edits": {imported(one), edits(maybeResend, edited), no, ""},
		"imported, another release":       {imported(one), release, no, replaced},
		"imported, without triggers":      {imported(none), release, no, "unannounced"},
		"imported, everything ignored": {
			imported(one), edits(imported(one), resend(no)), no, "",
		},
		"imported, channels filled in later": {
			edits(channels(noChannels), withoutTriggers, submitted(no)), nil, no, "",
		},
		"imported, priority filled in later": {
			edits(priority(types.StringNull()), withoutTriggers, submitted(no)), nil, no, "",
		},
		"imported, other triggers": {
			edits(channels(noChannels), submitted(no)), release, no, "replace: triggers",
		},

		// If it is not known whether the old resource would have run again, a move sends nothing, nor
		// does an import if it is not known what was announced.
		"moved":                       {moved(one), resend(yes), no, ""},
		"moved, another release":      {moved(one), release, no, replaced},
		"moved, unknown release":      {moved(one), maybeRelease, no, "replace: triggers?"},
		"moved, unknown triggers":     {moved(one), trigger(maybe), no, "replace: triggers?"},
		"moved, no triggers at all":   {moved(empty), withoutTriggers, no, ""},
		"moved, triggers added":       {moved(empty), nil, no, "unannounced"},
		"moved, unknown ones added":   {moved(empty), trigger(maybe), no, "unannounced"},
		"moved, with other content":   {edits(moved(one), channels(two)), resend(yes), no, ""},
		"moved, triggers renamed":     {moved(run), nil, no, "unannounced"},
		"moved, triggers removed":     {moved(one), withoutTriggers, no, "unannounced"},
		"moved, without triggers now": {moved(none), withoutTriggers, no, "unannounced"},

		// Replacing a key by another submits a new notification; adding or removing one does not. A
		// notification that is submitted for another reason needs another key.
		"key kept":             {key1, key1, yes, "same key"},
		"key kept, edited":     {key1, edits(key1, edited), no, "same key, unsent: channels"},
		"key kept, release":    {key1, edits(key1, release), yes, "same key, replace: triggers"},
		"another key":          {key1, key2, yes, "replace: idempotency_key"},
		"unknown key":          {key1, maybeKey, yes, "replace: idempotency_key?"},
		"first key":            {nil, key1, yes, ""},
		"first key, unknown":   {nil, maybeKey, yes, ""},
		"key removed":          {key1, nil, yes, ""},
		"key removed, release": {key1, release, yes, replaced},
	} {
		state, plan := test.state.to(existing(ctx)), test.plan.to(existing(ctx))
		d := plan.decide(ctx, state)
		if got := d.inWords(); got != test.want || !d.asSubmitted.Equal(test.asSubmitted) {
			t.Errorf("%s: %s, as_submitted = %s; want %s, %s", name, got, d.asSubmitted,
				test.want, test.asSubmitted)
		}
	}
}

func (d decision) inWords() string {
	names := func(changes []change) string {
		var names strings.Builder
		for _, c := range changes {
			names.WriteString(" " + c.argument)
			if !c.certain {
				names.WriteString("?")
			}
		}
		return names.String()
	}
	var words []string
	for _, part := range []struct {
		is   bool
		word string
	}{
		{d.unannounced, "unannounced"},
		{d.undecided, "undecided"},
		{d.sameKey, "same key"},
		{len(d.replaceFor) > 0, "replace:" + names(d.replaceFor)},
		{len(d.unsent) > 0, "unsent:" + names(d.unsent)},
	} {
		if part.is {
			words = append(words, part.word)
		}
	}
	return strings.Join(words, ", ")
}
