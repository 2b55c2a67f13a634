package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

// Ids tell whether the service recognised a key; where one has none, the key tells that it may have.
func TestKeyUses(t *testing.T) {
	t.Parallel()
	type event func(*keyUses) string
	first := func(diags diag.Diagnostics) string {
		if len(diags) == 0 {
			return ""
		}
		text, _, _ := strings.Cut(diags[0].Summary(), " (")
		return strings.Repeat(text, len(diags)) // more than one is more than is wanted
	}
	received := func(key, id string) event {
		return func(k *keyUses) string {
			receipt := &client.Receipt{NotificationID: id}
			receipt.ID.Request = "r"
			return first(k.submitted(key, receipt))
		}
	}
	deleted := func(id types.String, confirmed types.Bool, argument, recorded string) event {
		state := notificationModel{NotificationID: id, Confirmed: confirmed}
		var sent []byte
		if argument != "" {
			state.IdempotencyKey = types.StringValue(argument)
		}
		if recorded != "" {
			sent = keyDigest(recorded)
		}
		return func(k *keyUses) string { return first(k.deleted(state, sent)) }
	}
	var (
		none, n1, n2  = types.StringNull(), types.StringValue("n-1"), types.StringValue("n-2")
		unknown       = types.StringValue("Unknown")
		yes, no, null = types.BoolValue(true), types.BoolValue(false), types.BoolNull()
	)
	const again, perhaps = "Nobody was notified again", "People may not have been notified again"
	for name, test := range map[string]struct {
		one, two event
		want     string
	}{
		"one id":              {received("k", "n-1"), received("k", "n-1"), again},
		"two ids":             {received("k", "n-1"), received("k", "n-2"), ""},
		"two keys":            {received("k", "n-1"), received("j", "n-1"), again},
		"two keys, no id":     {received("k", ""), received("j", "n-1"), ""},
		"random keys":         {received("", "n-1"), received("", "n-1"), ""},
		"one without an id":   {received("k", ""), received("k", "n-1"), perhaps},
		"two without an id":   {received("k", ""), received("k", ""), perhaps},
		"replaced":            {deleted(n1, yes, "k", "k"), received("k", "n-1"), again},
		"replaced, another":   {deleted(n1, yes, "k", "k"), received("k", "n-2"), ""},
		"replaced, no id":     {deleted(none, yes, "k", "k"), received("k", "n-1"), perhaps},
		"replaced, id lost":   {deleted(n1, yes, "k", "k"), received("k", ""), perhaps},
		"replaced, no ids":    {deleted(none, yes, "k", "k"), received("k", ""), perhaps},
		"unconfirmed":         {deleted(none, no, "k", "k"), received("k", "n-1"), ""},
		"imported":            {deleted(n1, null, "k", "k"), received("k", "n-1"), again},
		"imported, not known": {deleted(unknown, null, "k", "k"), received("k", "n-1"), perhaps},
		"no digest":           {deleted(n1, null, "k", ""), received("k", "n-1"), again},
		"no digest, no id":    {deleted(none, yes, "k", ""), received("k", "n-1"), ""},
		"no digest, id lost":  {deleted(n1, yes, "k", ""), received("k", ""), ""},
		"sent under another":  {deleted(none, yes, "k", "j"), received("k", "n-1"), ""},
		"argument removed":    {deleted(n1, yes, "", "k"), received("k", "n-1"), again},
		"another key before":  {deleted(n1, null, "j", "j"), received("k", "n-1"), again},
		"never under a key":   {deleted(n1, yes, "", ""), received("k", "n-1"), again},
		"created first":       {received("k", "n-1"), deleted(n1, yes, "k", "k"), again},
		"created first, no id": {
			received("k", "n-1"), deleted(none, yes, "k", "k"), perhaps,
		},
		"two destroyed":         {deleted(n1, yes, "k", "k"), deleted(n1, yes, "k", "k"), ""},
		"two destroyed, no ids": {deleted(none, yes, "k", "k"), deleted(n2, yes, "k", "k"), ""},
	} {
		k := new(keyUses)
		if got := test.one(k); got != "" {
			t.Errorf("%s: begins with %q", name, got)
		}
		if got := test.two(k); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	// What the ids prove is said alone, with the request id of the receipt otherwise.
	k := new(keyUses)
	received("k", "")(k)
	received("k", "n-1")(k)
	if got := received("k", "n-1")(k); got != again {
		t.Errorf("%q", got)
	}
	if got := maybeRecognisedWarning("r").Summary(); !strings.HasSuffix(got, "(request id r)") {
		t.Error(got)
	}
}

// A plan shows that a submission has the key of another notification, whichever is planned first.
func TestKeyUses_plan(t *testing.T) {
	t.Parallel()
	const submits, exists = true, false
	for name, test := range map[string]struct {
		uses []bool
		want bool // whether the last one warns
	}{
		"one":                {[]bool{submits}, false},
		"two that exist":     {[]bool{exists, exists}, false},
		"a second one":       {[]bool{exists, submits}, true},
		"the first one late": {[]bool{submits, exists}, true},
		"two submissions":    {[]bool{submits, submits}, true},
		"three":              {[]bool{exists, submits, exists}, true},
	} {
		k := new(keyUses)
		var got bool
		for _, use := range test.uses {
			got = len(k.plan(keyDigest("k"), use)) > 0
			if len(k.plan(nil, submits)) > 0 {
				t.Errorf("%s: no key is shared", name)
			}
		}
		if got != test.want || len(k.plan(keyDigest("another"), submits)) > 0 {
			t.Errorf("%s: warned %t", name, got)
		}
	}
}
