package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
	"terraform-provider-notification/internal/protocol"
)

// backend is an emulator on a loopback port.
type backend struct {
	*emulator.Emulator

	url string
}

const testSecret = "canary-client-secret"

// newBackend starts an emulator with the default settings, modified by change.
func newBackend(t testing.TB, change func(*emulator.Config)) *backend {
	t.Helper()
	config := emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour}
	if change != nil {
		change(&config)
	}
	e, url := emulatortest.Serve(t, config)
	return &backend{Emulator: e, url: url}
}

// faulty makes the emulator inject a sequence of faults into requests to target.
func faulty(target, sequence string) func(*emulator.Config) {
	return func(c *emulator.Config) { c.Faults = emulator.Faults{target: sequence} }
}

// sent checks that want notifications were accepted since the last check, each by one request. If
// want is 0, there must have been no request at all.
func (b *backend) sent(t *testing.T, want int) {
	t.Helper()
	ledger := b.Ledger()
	if len(ledger.Submissions) != want || ledger.SubmissionRequests != want ||
		ledger.OtherRequests != 0 || want == 0 && len(ledger.Requests) != 0 {
		t.Errorf("%d notifications by %d of %d requests, want %d", len(ledger.Submissions),
			ledger.SubmissionRequests, len(ledger.Requests), want)
	}
	b.ClearLedger()
}

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
	return newBackend(t, nil).configure(t, nil)
}

// configure returns a provider for the backend, as for one command. settings are added to those
// that the backend needs.
func (b *backend) configure(t testing.TB, settings map[string]any) *testServer {
	t.Helper()
	block := map[string]any{
		"auth_url": b.url, "base_url": b.url, "client_id": "id", "client_secret": testSecret,
	}
	maps.Copy(block, settings)
	s := newTestServerOf(t, New("test"), block)
	s.backend = b
	return s
}

// newServer assembles a provider as main does. It is not configured.
func newServer(t testing.TB, p provider.Provider) *testServer {
	t.Helper()
	server := must(protocol.Wrap(providerserver.NewProtocol6(p)()))
	schema := must(server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}))
	mustSucceed(t, schema.Diagnostics)
	return &testServer{Server: server, schema: schema}
}

// newTestServerOf configures a provider as a Terraform that supports all its features does.
func newTestServerOf(t testing.TB, p provider.Provider, block map[string]any) *testServer {
	t.Helper()
	s := newServer(t, p)
	mustSucceed(t, must(s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.14.0", Config: s.value(t, s.schema.Provider, block),
	})).Diagnostics)
	return s
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
		!Says(want).MatchString(found[0]) || isWarning(want) != isWarning(found[0])) {
		t.Errorf("%s: %q, want %q", what, found, want)
	}
}

var spaces = strings.NewReplacer(` \.\.\. `, ".*", ` \.\.\.`, ".*", `\.\.\. `, ".*", " ", `\s+`)

// Says returns a pattern for a text that Terraform may have wrapped; ... matches anything.
func Says(text string) *regexp.Regexp {
	return regexp.MustCompile("(?s)" + spaces.Replace(regexp.QuoteMeta(text)))
}

// value encodes an object of the schema's type. Attributes that are not given are null. With nil
// attributes the whole object is null.
func (s *testServer) value(
	t testing.TB, schema *tfprotov6.Schema, attributes map[string]any,
) *tfprotov6.DynamicValue {
	t.Helper()
	typ := schema.ValueType()
	object := tftypes.NewValue(typ, nil)
	if attributes != nil {
		object = toValue(t, typ, attributes)
	}
	value := must(tfprotov6.NewDynamicValue(typ, object))
	return &value
}

// members returns the attributes of an object of the schema's type.
func members(
	t testing.TB, schema *tfprotov6.Schema, value *tfprotov6.DynamicValue,
) (members map[string]tftypes.Value) {
	t.Helper()
	if err := must(value.Unmarshal(schema.ValueType())).As(&members); err != nil {
		t.Fatal(err)
	}
	return members
}

// toValue converts values as encoding/json decodes them, and tftypes.UnknownValue.
func toValue(t testing.TB, typ tftypes.Type, value any) tftypes.Value {
	t.Helper()
	if value, ok := value.(tftypes.Value); ok {
		return value
	}
	if value == nil || value == tftypes.UnknownValue {
		return tftypes.NewValue(typ, value)
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		members := map[string]tftypes.Value{}
		given := maps.Clone(value.(map[string]any))
		for name, memberType := range typ.AttributeTypes {
			members[name] = toValue(t, memberType, given[name])
			delete(given, name)
		}
		if len(given) > 0 {
			t.Fatalf("no such attributes: %v", given)
		}
		return tftypes.NewValue(typ, members)
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		for name, element := range value.(map[string]any) {
			elements[name] = toValue(t, typ.ElementType, element)
		}
		return tftypes.NewValue(typ, elements)
	case tftypes.List:
		return tftypes.NewValue(typ, toValues(t, typ.ElementType, value.([]any)))
	case tftypes.Set:
		return tftypes.NewValue(typ, toValues(t, typ.ElementType, value.([]any)))
	}
	if n, ok := value.(float64); ok {
		value = big.NewFloat(n)
	}
	return tftypes.NewValue(typ, value)
}

func toValues(t testing.TB, typ tftypes.Type, values []any) []tftypes.Value {
	t.Helper()
	elements := []tftypes.Value{}
	for _, element := range values {
		elements = append(elements, toValue(t, typ, element))
	}
	return elements
}

// arguments returns the arguments of a notification in JSON, where "?" is an unknown value.
func arguments(t testing.TB, text string) map[string]any {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	return withUnknown(decoded).(map[string]any)
}

func withUnknown(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = withUnknown(member)
		}
	case []any:
		for i, element := range value {
			value[i] = withUnknown(element)
		}
	case string:
		if value == "?" {
			return tftypes.UnknownValue
		}
	}
	return value
}
