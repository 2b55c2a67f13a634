package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

const nothingElse = `{"type":"x"}` // in a channel

// A plan warns of channels that may notify nobody, each kind once. What is unknown may be set.
func TestPlan_incompleteChannels(t *testing.T) {
	t.Parallel()
	const (
		noRecipient = "channels[0] has no recipient"
		noContent   = "channels[0] has no subject, template_id or fields"
		mute        = `{"type":"x","subject":"a"}`
		to          = `{"type":"x","recipient":["a"]`
	)
	w := newWire(t)
	for channels, want := range map[string][]string{
		aChannel:                           nil,
		to + `,"template_id":"b"}`:         nil,
		to + `,"fields":{"b":""}}`:         nil,
		to + `,"fields_wo":{"b":""}}`:      nil,
		mute:                               {noRecipient},
		to + `}`:                           {noContent},
		to + `,"fields":{}}`:               {noContent},
		to + `,"fields_wo":{}}`:            {noContent},
		to + `,"content_type":"md"}`:       {noContent},
		nothingElse:                        {noRecipient, noContent},
		mute + `,` + aChannel + `,` + mute: {"channels[0] and channels[2] have no recipient"},
		aChannel + strings.Repeat(`,`+nothingElse, 3): {
			"channels[1], channels[2] and channels[3] have no recipient",
			"channels[1], channels[2] and channels[3] have no subject, template_id or fields",
		},

		`"?"`: nil,
		`{"type":"x","recipient":"?","subject":"?"}`: nil,
		to + `,"template_id":"?"}`:                   nil,
		to + `,"fields":"?"}`:                        nil,
		to + `,"fields_wo":"?"}`:                     nil,
		to + `,"content_type":"?"}`:                  {noContent},
		`"?",{"type":"?","recipient":"?"},` + mute: {
			"channels[2] has no recipient", "channels[1] has no subject, template_id or fields",
		},
	} {
		given := arguments(t, `{"priority":"HIGH","channels":[`+channels+`]}`)
		if got := warnings(t, w.plan(t, nil, given).Diagnostics); !slices.Equal(got, want) {
			t.Errorf("%s: the resource warns %q", channels, got)
		}
		if strings.Contains(channels, "fields_wo") {
			continue
		}
		if got := warnings(t, w.planAction(t, given)); !slices.Equal(got, want) {
			t.Errorf("%s: the action warns %q", channels, got)
		}
	}
	w.sent(t, 0)
}

// warnings are the first sentences of warnings about incomplete channels. Each of these points to
// the first channel that it names.
func warnings(t *testing.T, diagnostics []*tfprotov6.Diagnostic) (found []string) {
	t.Helper()
	for _, d := range diagnostics {
		sentence, rest, _ := strings.Cut(d.Detail, ". ")
		summary := "Channel without content"
		if strings.HasSuffix(sentence, "recipient") {
			summary = "Channel without recipient"
		}
		at := strings.NewReplacer(`AttributeName("`, "", `").ElementKeyInt(`, "[", `)`, "]").
			Replace(d.Attribute.String())
		if d.Severity != tfprotov6.DiagnosticSeverityWarning || d.Summary != summary ||
			!strings.HasPrefix(sentence, at) || rest != "Is a name misspelt? Terraform silently "+
			"drops members that it does not know. Ignore this warning if your service needs none." {
			t.Errorf("%s at %s: %s", d.Summary, at, d.Detail)
		}
		found = append(found, sentence)
	}
	return found
}

// A plan that neither submits channels nor changes them does not warn of them.
func TestPlan_incompleteChannelsAgain(t *testing.T) {
	t.Parallel()
	const incomplete = `{"priority":"HIGH","channels":[` + nothingElse + `]`
	w := newWire(t)
	created := w.create(t, arguments(t, incomplete+`,"triggers":{"a":"1"}}`))
	stored := func(text string) *tfprotov6.ApplyResourceChangeResponse {
		return &tfprotov6.ApplyResourceChangeResponse{
			NewState: w.resource(t, arguments(t, text)),
		}
	}
	ignored := stored(`{"priority":"HIGH","notification_id":"n-1","as_submitted":false,` +
		`"delivery":"at_least_once","resend_on_change":false}`) // by ignore_changes, after an import
	moved := stored(`{"triggers":{"a":"1"},"as_submitted":false}`)
	for name, test := range map[string]struct {
		prior     *tfprotov6.ApplyResourceChangeResponse
		arguments string
		warnings  int
	}{
		"unchanged":       {created, incomplete + `,"triggers":{"a":"1"}}`, 0},
		"other arguments": {created, incomplete + `,"triggers":{"a":"1"},"delivery":"at_most_once"}`, 0},
		"replaced":        {created, incomplete + `,"triggers":{"a":"2"}}`, 2},
		"filled in":       {ignored, incomplete + `}`, 0},
		"moved":           {moved, incomplete + `,"triggers":{"a":"1"}}`, 0},
		"moved, replaced": {moved, incomplete + `,"triggers":{"a":"2"}}`, 2},
	} {
		p := w.plan(t, test.prior, arguments(t, test.arguments))
		if got := warnings(t, p.Diagnostics); len(got) != test.warnings {
			t.Errorf("%s: warns %q", name, got)
		}
	}
	w.sent(t, 1)
}
