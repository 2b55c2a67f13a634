package provider

import (
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

// newAnswer serves body as the answer to every lookup.
func newAnswer(t *testing.T, body string) *backend {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, `{"access_token":"t","token_type":"Bearer"}`)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return &backend{url: server.URL}
}

// lookUp reads the data source, and returns its state.
func (w *wire) lookUp(
	t *testing.T,
) (state map[string]tftypes.Value, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	schema := w.schema.DataSourceSchemas["notification_studies"]
	resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config:   w.value(t, schema, map[string]any{"name": "x"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	value, err := resp.State.Unmarshal(schema.ValueType())
	if err := errors.Join(err, value.As(&state)); err != nil {
		t.Fatal(err)
	}
	return state, resp.Diagnostics
}

// The state of a lookup: the studies, decoded, and the body as it was received.
func TestStudies(t *testing.T) {
	t.Parallel()
	study := tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"id": tftypes.Number, "name": tftypes.String,
	}}
	const body = `[{"id":9007199254740993,"name":"ATLAS"}]`
	found := map[string]tftypes.Value{
		body: tftypes.NewValue(tftypes.List{ElementType: study}, []tftypes.Value{
			tftypes.NewValue(study, map[string]tftypes.Value{
				"id":   tftypes.NewValue(tftypes.Number, new(big.Float).SetInt64(9007199254740993)),
				"name": tftypes.NewValue(tftypes.String, "ATLAS"),
			}),
		}),
		"": tftypes.NewValue(tftypes.Tuple{ElementTypes: []tftypes.Type{}}, []tftypes.Value{}),
	}
	for answer, want := range map[string]string{
		body: "", "": "", "[1": "JSON that breaks off",
	} {
		state, diagnostics := newWire(t, newAnswer(t, answer)).lookUp(t)
		if want != "" {
			if len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Detail, want) ||
				!strings.Contains(diagnostics[0].Detail, "request id ") ||
				diagnostics[0].Attribute.String() != `AttributeName("studies")` {
				t.Errorf("%q: %+v", answer, diagnostics)
			}
			continue
		}
		mustSucceed(t, nil, diagnostics)
		if !state["studies"].Equal(found[answer]) ||
			!state["response_json"].Equal(tftypes.NewValue(tftypes.String, answer)) ||
			!state["name"].Equal(tftypes.NewValue(tftypes.String, "x")) {
			t.Errorf("%q: %s", answer, state)
		}
	}
}

// A lookup whose answer has further pages warns, and returns the first one. The warning does not
// quote the answer.
func TestStudies_furtherPages(t *testing.T) {
	t.Parallel()
	const body = `{"studies":[{"name":"ATLAS"}],"next_cursor":"canary"}`
	state, diagnostics := newWire(t, newAnswer(t, body)).lookUp(t)
	if len(diagnostics) != 1 || !strings.Contains(state["studies"].String(), "ATLAS") {
		t.Fatalf("%+v, %s", diagnostics, state)
	}
	warning := diagnostics[0]
	if warning.Severity != tfprotov6.DiagnosticSeverityWarning ||
		warning.Summary != "Only the first page of studies was read" ||
		!strings.Contains(warning.Detail, `"next_cursor"`) ||
		strings.Contains(warning.Detail, "canary") {
		t.Errorf("%+v", warning)
	}
}

// A lookup that fails is an error of the data source, and stores nothing.
func TestStudies_failure(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"studies": "status:404"}
	}))
	state, diagnostics := w.lookUp(t)
	if len(diagnostics) != 1 || diagnostics[0].Summary != "Unable to look up studies" ||
		!state["studies"].IsNull() {
		t.Errorf("%+v, %s", diagnostics, state)
	}
}
