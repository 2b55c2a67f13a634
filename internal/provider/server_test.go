package provider

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/protocol"
)

// testServer makes the plugin protocol calls that Terraform makes. Features that only some versions
// of Terraform have can thus be tested with any.
type testServer struct {
	protocol.Server
	*backend

	schema *tfprotov6.GetProviderSchemaResponse
}

// newTestServer returns a configured provider and an emulator.
func newTestServer(t testing.TB) *testServer {
	t.Helper()
	return newBackend(t, emulator.Config{}).configure(t, nil)
}

// configure returns a provider for the backend, as for one command. settings are added to those
// that the backend needs.
func (b *backend) configure(t testing.TB, settings map[string]any) *testServer {
	t.Helper()
	block := map[string]any{
		"auth_url": b.url, "base_url": b.url, "client_id": "id", "client_secret": testSecret,
	}
	maps.Copy(block, settings)
	s := newUnconfigured(t)
	s.backend = b
	mustSucceed(t, must(s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.14.0", // which supports all features
		Config:           s.value(t, s.schema.Provider, block),
	})).Diagnostics)
	return s
}

// assemble assembles the provider as main does.
func assemble() (tfprotov6.ProviderServer, error) {
	return protocol.Wrap(providerserver.NewProtocol6(New("test"))())
}

// newUnconfigured returns a provider that is not configured.
func newUnconfigured(t testing.TB) *testServer {
	t.Helper()
	server := must(assemble()).(protocol.Server)
	schema := must(server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}))
	mustSucceed(t, schema.Diagnostics)
	return &testServer{Server: server, schema: schema}
}

// must returns value. It panics on err, since a provider reports problems by diagnostics.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func mustSucceed(t testing.TB, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// described returns the diagnostics as "PATH: SUMMARY: DETAIL", without "PATH: " if there is none,
// and with "Warning: " before a warning. All of it must be UTF-8, which the protocol requires.
func described(t *testing.T, diagnostics []*tfprotov6.Diagnostic) (found []string) {
	t.Helper()
	for _, d := range diagnostics {
		var at strings.Builder
		for _, step := range d.Attribute.Steps() {
			switch step := step.(type) {
			case tftypes.AttributeName:
				at.WriteString("." + string(step))
			default: // an index, a key, or the element of a set, which the protocol leaves out
				fmt.Fprintf(&at, "[%v]", step)
			}
		}
		text := d.Summary + ": " + d.Detail
		if at.Len() > 0 {
			text = strings.TrimPrefix(at.String(), ".") + ": " + text
		}
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			text = "Warning: " + text
		}
		if !utf8.ValidString(text) {
			t.Errorf("not valid UTF-8: %q", text)
		}
		found = append(found, text)
	}
	return found
}

// onlySays fails the test unless there is exactly one diagnostic, whose text, as described returns
// it, contains want; ... in want matches anything. If want is empty, there must be none.
func onlySays(t *testing.T, what string, diagnostics []*tfprotov6.Diagnostic, want string) {
	t.Helper()
	found := described(t, diagnostics)
	isWarning := func(text string) bool { return strings.HasPrefix(text, "Warning: ") }
	if want == "" && len(found) > 0 || want != "" && (len(found) != 1 ||
		!says(want).MatchString(found[0]) || isWarning(want) != isWarning(found[0])) {
		t.Errorf("%s:\nwant %q\ngot  %q", what, want, found)
	}
}

var spaces = strings.NewReplacer(` \.\.\. `, ".*", ` \.\.\.`, ".*", `\.\.\. `, ".*", " ", `\s+`)

// says returns a pattern for a text that Terraform may have wrapped; ... matches anything.
func says(text string) *regexp.Regexp {
	return regexp.MustCompile("(?s)" + spaces.Replace(regexp.QuoteMeta(text)))
}

// lookups returns the names of all data sources, sorted.
func (s *testServer) lookups() []string {
	return slices.Sorted(maps.Keys(s.schema.DataSourceSchemas))
}

// read reads a data source, with "x" as each required argument.
func (s *testServer) read(
	t *testing.T, name string, deferralAllowed bool,
) *tfprotov6.ReadDataSourceResponse {
	t.Helper()
	schema, given := s.schema.DataSourceSchemas[name], map[string]any{}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Required {
			given[attribute.Name] = "x"
		}
	}
	return must(s.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: name, Config: s.value(t, schema, given),
		ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{
			DeferralAllowed: deferralAllowed,
		},
	}))
}

const resourceName = "notification_notification"

// resource encodes the configuration or state of a notification; null for nil attributes.
func (s *testServer) resource(t *testing.T, attributes map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	return s.value(t, s.schema.ResourceSchemas[resourceName], attributes)
}

// validate returns the diagnostics of the resource's validation by a Terraform that supports
// write-only attributes.
func (s *testServer) validate(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(s.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceName, Config: s.resource(t, given),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		},
	})).Diagnostics
}

// plannedNotification is the plan of a resource, with the state and configuration that it is from.
type plannedNotification struct {
	*tfprotov6.PlanResourceChangeResponse

	prior, config *tfprotov6.DynamicValue
}

// plan plans a change from a state, which is nil for a creation, to the given arguments.
func (s *testServer) plan(
	t *testing.T, prior *tfprotov6.DynamicValue, arguments map[string]any,
) plannedNotification {
	t.Helper()
	proposed := maps.Clone(arguments)
	if prior == nil {
		prior = s.resource(t, nil)
	} else {
		members := members(t, s.schema.ResourceSchemas[resourceName], prior)
		for _, name := range []string{
			"notification_id", "submitted_at", "confirmed", "as_submitted",
		} {
			proposed[name] = members[name]
		}
	}
	config := s.resource(t, arguments)
	resp := must(s.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: prior, Config: config,
		ProposedNewState: s.resource(t, proposed),
	}))
	return plannedNotification{resp, prior, config}
}

func (s *testServer) apply(
	t *testing.T, p plannedNotification,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return must(s.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceName, PriorState: p.prior, PlannedState: p.PlannedState,
		PlannedPrivate: p.PlannedPrivate, Config: p.config,
	}))
}

// create plans and applies a creation, and returns the new state.
func (s *testServer) create(t *testing.T, arguments map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	p := s.plan(t, nil, arguments)
	mustSucceed(t, p.Diagnostics)
	resp := s.apply(t, p)
	mustSucceed(t, resp.Diagnostics)
	return resp.NewState
}
