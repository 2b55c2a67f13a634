package provider

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// Invalid arguments are rejected with the same text by the resource and the action. Terraform
// validates a resource again when it plans and applies it, but an action only once, while variables
// may be unknown: so the action is also rejected where it is planned and invoked.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	s := newBackend(t, emulator.Config{}).
		configure(t, map[string]any{"idempotency_key_header": keyHeader})
	inChannel := func(members string) string {
		return `{"priority":"HIGH","channels":[{"type":"x",` + members + `}]}`
	}
	for text, want := range map[string]string{
		`{"priority":"high","channels":[` + aChannel + `]}`: "priority: Invalid Attribute Value Match",
		`{"channels":[` + aChannel + `]}`:                   "priority: Missing Configuration",
		`{"priority":"HIGH"}`:                               "channels: Missing Configuration",
		`{"priority":"HIGH","channels":[]}`:                 "channels: Invalid Attribute Value",
		`{"priority":"HIGH","channels":[{"type":null,"subject":"a"}]}`: "channels[0].type: Missing " +
			"Configuration",
		`{"priority":"HIGH","channels":["?",{"subject":"a"}]}`: "channels[1].type: Missing Configuration",
		// The missing type of a null channel is not a second error.
		`{"priority":"HIGH","channels":[null]}`: "channels: Null List Value",
		inChannel(`"subject":" "`): "channels[0].subject: Blank value: channels[0].subject must not " +
			"be blank. Set it to a value, or leave it out if it is optional.",
		inChannel(`"recipient":["a"," ",""]`):     "channels[0].recipient[1]: Blank value",
		inChannel(`"recipient":[]`):               "channels[0].recipient: Invalid Attribute Value",
		inChannel(`"recipient":["a",null,null]`):  "channels[0].recipient[1]: Blank value",
		inChannel(`"fields":{"a":null,"b":null}`): "channels[0].fields: Null value",
		inChannel(`"subject":"a","fields":{"b":"","a":""},"fields_wo":{"d":"","b":"","a":""}`): "" +
			"channels[0].fields_wo: Field given twice: channels[0].fields_wo has a key that is " +
			"also in fields.",
		anAnnouncement + `,"idempotency_key":"a b"}`: "idempotency_key: Invalid idempotency key: " +
			"idempotency_key must be 1 to 255 visible ASCII characters, without spaces.",
		anAnnouncement + `,"delivery":"At-Most-Once"}`: "delivery: Invalid Attribute Value Match",
		anAnnouncement + `,"timeouts":{"create":"0s"}}`: "timeouts.create: Invalid duration: " +
			"timeouts.create must be above zero.",
		anAnnouncement + `,"timeouts":{"create":"5"}}`: "timeouts.create: Invalid Attribute Value Time",
	} {
		given := arguments(t, text)
		onlySays(t, text, s.validate(t, given), want)
		if strings.Contains(text, "fields_wo") || strings.Contains(text, "delivery") ||
			strings.Contains(text, "timeouts") {
			continue // which the action does not have
		}
		onlySays(t, text+", action", s.validateAction(t, given), want)
		onlySays(t, text+", planned action", s.planAction(t, given), want)
		_, invoked := s.invoke(t.Context(), t, given)
		onlySays(t, text+", invoked", invoked.Diagnostics, want)
	}
	s.requested(t)
}

// A key that is not UTF-8, which the protocol cannot carry, does not hide other errors.
func TestInvalidText_hidesNoOtherError(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	given := map[string]any{
		"priority": "HIGH", "triggers": map[string]any{"\xe9": "\xe8"},
		"channels": []any{map[string]any{
			"type": "slack", "subject": " ",
			"fields":    map[string]any{"\xe9": "\xe8", "a": nil},
			"fields_wo": map[string]any{"\xe8": "\xe8", "b": nil},
		}},
	}
	var at []string
	for _, found := range described(t, s.validate(t, given)) {
		path, _, _ := strings.Cut(found, ":")
		at = append(at, path)
	}
	slices.Sort(at)
	want := []string{
		"channels[0].fields", "channels[0].fields", "channels[0].fields_wo",
		"channels[0].fields_wo", "channels[0].subject", "triggers",
	}
	if !slices.Equal(at, want) {
		t.Errorf("got errors at %q, want them at %q", at, want)
	}
}

// Unknown arguments are not errors until they have to be sent.
func TestUnknownArguments(t *testing.T) {
	t.Parallel()
	s := newBackend(t, emulator.Config{}).
		configure(t, map[string]any{"idempotency_key_header": keyHeader})
	const refusal = "Unable to submit notification: A part of the notification is unknown. " +
		"This notification was not sent."
	const priority = `{"priority":"HIGH","channels":`
	for _, text := range []string{
		priority + `"?"}`,
		priority + `["?"]}`,
		priority + `[{"type":"x","recipient":["?","a"],"fields":{"a":"?"}}]}`,
		`{"priority":"?","channels":[` + aChannel + `]}`,
		anAnnouncement + `,"idempotency_key":"?"}`,
	} {
		given := arguments(t, text)
		onlySays(t, text, s.validateAction(t, given), "")
		onlySays(t, text, s.planAction(t, given), "")
		_, invoked := s.invoke(t.Context(), t, given)
		onlySays(t, text+", invoked", invoked.Diagnostics, refusal)
		for _, name := range []string{"delivery", "resend_on_change", "triggers"} {
			given[name] = "?"
		}
		onlySays(t, text, s.validate(t, given), "")
		onlySays(t, text, s.apply(t, s.plan(t, nil, given)).Diagnostics, refusal)
	}
	unknownTimeout := arguments(t, anAnnouncement+`,"timeouts":{"create":"?"}}`)
	onlySays(t, "timeouts", s.validate(t, unknownTimeout), "")
	withField := func(value string) map[string]any {
		return arguments(t, priority+`[{"type":"x","recipient":["C1"],"fields":{"pin":"1"},`+
			`"fields_wo":`+value+`}]}`)
	}
	planned := s.plan(t, nil, withField(`{"a":"?"}`))
	onlySays(t, "fields_wo", s.apply(t, planned).Diagnostics, refusal)
	planned = s.plan(t, nil, arguments(t, priority+`[{"type":"?","recipient":["C1"],"subject":"a"}]}`))
	planned.config = s.resource(t, arguments(t, anAnnouncement+"}"))
	onlySays(t, "known in the configuration alone", s.apply(t, planned).Diagnostics, refusal)
	planned = s.plan(t, nil, arguments(t, priority+`[null]}`))
	onlySays(t, "null, not validated", s.apply(t, planned).Diagnostics, refusal)
	// The name of a field is known before its value is.
	onlySays(t, "a field given twice", s.validate(t, withField(`{"pin":"?"}`)), "Field given twice")
	s.requested(t)
}

// The service contract, the description and the validator name the same priorities.
func TestPriorities(t *testing.T) {
	t.Parallel()
	contract, err := os.ReadFile("../../docs/guides/service-contract.md")
	if err != nil {
		t.Fatal(err)
	}
	last := len(priorities) - 1
	want := "`" + strings.Join(priorities[:last], "`, `") + "` or `" + priorities[last] + "`"
	if !strings.Contains(priorityDescription, want) || !strings.Contains(string(contract), want) {
		t.Errorf("the description or the service contract does not have %s", want)
	}
}

// validateAction returns the diagnostics of the action's validation.
func (s *testServer) validateAction(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(s.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{
		ActionType: "notification_send",
		Config:     s.value(t, s.schema.ActionSchemas["notification_send"].Schema, given),
	})).Diagnostics
}

// Create sends what was planned, even if the configuration has other values in the apply, as with
// timestamp(). A secret, which Terraform takes from the configuration, is sent only if its channel
// is that of the plan.
func TestSecretsStayInTheirChannel(t *testing.T) {
	t.Parallel()
	channel := func(kind, recipient, template, fields string) string {
		return fmt.Sprintf(`{"type":%q,"recipient":[%q],"template_id":%q,%s}`, kind, recipient,
			template, fields)
	}
	const secret, public = `"fields_wo":{"code":"1"}`, `"fields":{"code":"1"}`
	alice, bob := channel("x", "alice", "t", secret), channel("x", "bob", "t", secret)
	given := func(channels ...string) map[string]any {
		return arguments(t, `{"priority":"HIGH","channels":[`+strings.Join(channels, ",")+`]}`)
	}
	for _, test := range []struct {
		planned, configured map[string]any
		same                bool
	}{
		{given(alice, bob), given(alice, bob), true},
		{given(alice, bob), given(bob, alice), false},
		{given(alice, bob), given(bob), false},
		{given(bob), given(bob, alice), false},
		{given(alice), given(channel("y", "alice", "t", secret)), false},
		{given(alice), given(channel("x", "alice", "u", secret)), false},
		{given(alice), given(channel("x", "alice", "t", secret+`,"subject":"now"`)), true},
		{given(alice, bob), given(channel("x", "alice", "t", public)), false},
		{
			given(alice, channel("x", "a", "t", public)), given(alice, channel("x", "b", "t", public)),
			true,
		},
	} {
		s := newTestServer(t)
		planned := s.plan(t, nil, test.planned)
		planned.config = s.resource(t, test.configured)
		found, what := s.apply(t, planned).Diagnostics, fmt.Sprint(test.configured)
		if test.same {
			onlySays(t, what, found, "")
			if got := s.Ledger().Submissions[0].Channels[0].Subject; got != "" {
				t.Errorf("%s: sent the subject %q, which was not planned", what, got)
			}
			s.requested(t, "submission", "token")
			continue
		}
		onlySays(t, what, found, "channels: Channels differ between plan and apply: This notification was not sent.")
		s.requested(t)
	}
}
