package provider

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/notification/terraform-provider-notification/internal/client"
	"github.com/notification/terraform-provider-notification/internal/settings"
)

var update = flag.Bool("update", false, "write the golden file")

const released = guides("https://registry.example.com/1.2.3")

// The golden file contains every text that users see when a request fails, and the warnings and
// errors of plans, to be read from top to bottom.
func TestDiagnosticsGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	write := func(name string, d diag.Diagnostic) {
		fmt.Fprintf(&b, "## %s\n\n%s: %s\n\n%s\n\n", name, d.Severity(), d.Summary(), d.Detail())
	}
	for _, f := range failures {
		synctest.Test(t, func(t *testing.T) { write(f.name, f.run(t)) })
	}
	writePlans(t.Context(), write)
	got := regexp.MustCompile(`request id [0-9a-f-]+`).
		ReplaceAllString(b.String(), "request id REQUEST_ID")
	got = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).
		ReplaceAllString(got, "RANDOM_KEY")
	// Backoff has jitter, so that the time of a later attempt varies. The first is at 00:00:00.
	got = regexp.MustCompile(`2000-01-01T[0-9:]+:(0[1-9]|[1-5][0-9])Z`).
		ReplaceAllString(got, "LATER")
	got = regexp.MustCompile(`[0-9a-f]{32}`).ReplaceAllString(got, "TRACE_ID")
	golden := filepath.Join("testdata", "diagnostics.golden.md")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(kept), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-) and the texts (+) differ; write it with -update and read what has changed:\n%s",
			golden, diff)
	}
	for _, row := range slices.Concat(commonHints, tokenHints, serviceHints) {
		text := regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(row.text), ".*")
		if !regexp.MustCompile(`(?m)^` + text + `$`).MatchString(got) {
			t.Errorf("no failure in failures_test.go leads to the hint %q", row.text)
		}
	}
	if strings.Contains(got, "canary") {
		t.Error("the texts contain the client secret or the user's own key")
	}
}

// writePlans writes the diagnostics of plans in the golden file.
func writePlans(ctx context.Context, write func(name string, d diag.Diagnostic)) {
	two, maybe := newChannels(ctx, types.StringValue("two")), types.StringUnknown()
	key := types.StringValue("checkout-1.4.2-canary")
	keyed := func(m *notificationModel) { m.IdempotencyKey = key }
	submitted := func(m *notificationModel) { m.NotificationID = types.StringValue("n-1") }
	moved := func(m *notificationModel) { *m = notificationModel{} }
	channels := func(m *notificationModel) { m.Channels = two }
	both := edits(channels, func(m *notificationModel) { m.Priority = maybe })
	resend := func(m *notificationModel) { m.ResendOnChange = types.BoolValue(true) }
	maybeResend := func(m *notificationModel) { m.ResendOnChange = types.BoolUnknown() }
	release := func(m *notificationModel) { m.Triggers = triggers("2") }
	unconfirmed := func(m *notificationModel) { m.Confirmed = types.BoolValue(false) }
	for _, p := range []struct {
		name        string
		state, plan edit // of the existing notification
	}{
		{"channels change", submitted, channels},
		{"channels change, priority may change", nil, both},
		{"channels change under the same key", keyed, edits(keyed, channels)},
		{"a replacement under the same key", keyed, edits(keyed, release)},
		{"a replacement under the same key, since resend_on_change is true", keyed,
			edits(keyed, release, both, resend)},
		{"a replacement of an unconfirmed one under the same key", edits(keyed, unconfirmed),
			edits(keyed, release)},
		{"channels change, resend_on_change is not known", nil, edits(channels, maybeResend)},
		{"imported or moved, without triggers to compare", moved, nil},
	} {
		state, plan := p.state.to(existing(ctx)), p.plan.to(existing(ctx))
		for _, d := range plan.decide(ctx, state).diagnostics(state, released) {
			write("plan: "+p.name, d)
		}
	}
	schema := settings.Schema()
	nothing := tfsdk.Config{
		Schema: schema, Raw: tftypes.NewValue(schema.Type().TerraformType(ctx), nil),
	}
	_, _, missing := settings.Read(ctx, nothing, func(string) string { return "" })
	write("plan: no settings", settingsError(missing[0], released, "Nothing was sent with these settings."))
	one := path.Root("channels").AtListIndex(0)
	write("plan: a channel without recipient",
		incompleteWarning("Channel without recipient", []path.Path{one}, "recipient"))
}

// An error links to the documentation of the version that prints it. TestErrorLinks in
// internal/docs follows the links.
func TestGuides(t *testing.T) {
	t.Parallel()
	source := tfaddr.MustParseProviderSource(Source)
	provider := fmt.Sprintf("https://%s/providers/%s/%s/", source.Hostname, source.Namespace, source.Type)
	for version, in := range map[string]string{"1.2.3-rc.1": "1.2.3-rc.1", "dev": "latest"} {
		if got, want := string(guidesOf(version)), provider+in; got != want {
			t.Errorf("version %s: %s, want %s", version, got, want)
		}
	}
}

// Each endpoint has its own settings, which the provider has.
func TestSettingsOfEndpoints(t *testing.T) {
	t.Parallel()
	found := map[string]client.Operation{}
	for _, op := range client.Operations() {
		at := settingsOf[op]
		if other := found[at.all]; other != "" || len(at.hints) == 0 {
			t.Errorf("cannot %s: settingsOf has no row, or that of %q", op, other)
		}
		found[at.all] = op
		for _, name := range append(regexp.MustCompile(`, | and `).Split(at.all, -1), at.address) {
			if _, ok := settings.Schema().Attributes[name]; !ok {
				t.Errorf("cannot %s: there is no setting %q", op, name)
			}
		}
	}
}

// The golden file shows each hint. These are other failures with a hint, or without one.
func TestHint(t *testing.T) {
	t.Parallel()
	submit, lookUp, token := client.SubmitNotification, client.LookUpStudies, client.ObtainAccessToken
	for _, test := range []struct {
		failed client.Error
		want   string // the beginning, or "" for no hint
	}{
		{client.Error{Operation: submit, Status: 400}, "Correct the arguments."},
		{client.Error{Operation: lookUp, Status: 405}, "Check base_url, system and studies_path "},
		{client.Error{Operation: token, Status: 405}, "Tokens are requested from "},
		{client.Error{Operation: token, Status: 403}, "Check client_id and client_secret ("},
		{ // if the time is used up although the service responded, no retry would have helped
			client.Error{Operation: lookUp, Status: 429, Reason: client.TimedOut},
			"The service limits the rate of requests. Run with a lower -parallelism. Wait a while, " +
				"or raise the_limit.",
		},
	} {
		got := hint(&test.failed, "the_limit")
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%+v: got %q, want %q", test.failed, got, test.want)
		}
	}
}
