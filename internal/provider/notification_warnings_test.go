package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

const (
	aChannel       = `{"type":"slack","recipient":["C1"],"subject":"one"}`
	anAnnouncement = `{"priority":"HIGH","channels":[` + aChannel + `]`
)

// A plan warns about channels that may notify nobody, once for each reason. Unknown members count
// as set.
func TestPlan_warnsAboutIncompleteChannels(t *testing.T) {
	t.Parallel()
	const (
		noRecipient = "Warning: channels[0]: Channel without recipient: " +
			"There is no recipient in channels[0]."
		noContent = "Warning: channels[0]: Channel without content: " +
			"There is no subject, template_id or fields in channels[0]."
		nobody  = `{"type":"x","subject":"a"}`
		to      = `{"type":"x","recipient":["a"]`
		nothing = `{"type":"x"}`
	)
	several := strings.NewReplacer("channels[0]:", "channels[1]:",
		"channels[0].", "channels[1], channels[2], channels[3].")
	many := strings.NewReplacer("channels[0].", "channels[0], channels[1], channels[2], "+
		"channels[3], channels[4], 2 more.")
	s := newTestServer(t)
	for channels, want := range map[string][]string{
		aChannel:                      nil,
		to + `,"template_id":"b"}`:    nil,
		to + `,"fields":{"b":""}}`:    nil,
		to + `,"fields_wo":{"b":""}}`: nil,
		nobody:                        {noRecipient},
		to + `}`:                      {noContent},
		to + `,"fields":{}}`:          {noContent},
		to + `,"fields_wo":{}}`:       {noContent},
		nothing:                       {noRecipient, noContent},
		aChannel + strings.Repeat(`,`+nothing, 3): {
			several.Replace(noRecipient), several.Replace(noContent),
		},
		nothing + strings.Repeat(`,`+nothing, 6): {many.Replace(noRecipient), many.Replace(noContent)},

		`"?"`: nil,
		`{"type":"x","recipient":"?","subject":"?"}`: nil,
		to + `,"template_id":"?"}`:                   nil,
		to + `,"fields_wo":"?"}`:                     nil,
		to + `,"content_type":"?"}`:                  {noContent},
	} {
		given := arguments(t, `{"priority":"HIGH","channels":[`+channels+`]}`)
		got := described(t, s.plan(t, nil, given).Diagnostics)
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: the resource warns %q, want %q", channels, got, want)
		}
		if strings.Contains(channels, "fields_wo") { // which the action does not have
			continue
		}
		if got = described(t, s.planAction(t, given)); !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: the action warns %q, want %q", channels, got, want)
		}
	}
	s.requested(t)
}

// A plan that neither submits channels nor changes them does not warn about them.
func TestPlan_doesNotWarnAboutUnchangedChannels(t *testing.T) {
	t.Parallel()
	const incomplete = `{"priority":"HIGH","channels":[{"type":"x"}]`
	const one, two = `,"triggers":{"a":"1"}`, `,"triggers":{"a":"2"}`
	s := newTestServer(t)
	created := s.create(t, arguments(t, incomplete+one+`}`))
	ignored := s.resource(t, arguments(t, `{"priority":"HIGH","notification_id":"n-1",`+
		`"as_submitted":false,"delivery":"at_least_once","resend_on_change":false}`))
	moved := s.resource(t, arguments(t, `{"triggers":{"a":"1"},"as_submitted":false}`))
	for name, test := range map[string]struct {
		prior     *tfprotov6.DynamicValue
		arguments string
		warnings  int
	}{
		"unchanged":       {created, incomplete + one, 0},
		"replaced":        {created, incomplete + two, 2},
		"filled in":       {ignored, incomplete, 0}, // ignore_changes, after an import
		"moved":           {moved, incomplete + one, 0},
		"moved, replaced": {moved, incomplete + two, 2},
	} {
		p := s.plan(t, test.prior, arguments(t, test.arguments+`}`))
		if got := described(t, p.Diagnostics); len(got) != test.warnings {
			t.Errorf("%s: got the warnings %q, want %d", name, got, test.warnings)
		}
	}
	s.requested(t, "submission", "token")
}
