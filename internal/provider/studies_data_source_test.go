package provider

import (
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
		body: "", "": "", "[1": "JSON that breaks off", `"text"`: "JSON string where an array",
		"true": "JSON bool where", "1": "JSON number where",
	} {
		w := newWire(t, newAnswer(t, answer))
		schema := w.schema.DataSourceSchemas["notification_studies"]
		resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
			TypeName: "notification_studies",
			Config:   w.value(t, schema, map[string]any{"name": "x"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, want) ||
				!strings.Contains(resp.Diagnostics[0].Detail, "Request id: ") ||
				resp.Diagnostics[0].Attribute.String() != `AttributeName("studies")` {
				t.Errorf("%q: %+v", answer, resp.Diagnostics)
			}
			continue
		}
		mustSucceed(t, nil, resp.Diagnostics)
		state, err := resp.State.Unmarshal(schema.ValueType())
		if err != nil {
			t.Fatal(err)
		}
		var attributes map[string]tftypes.Value
		if err := state.As(&attributes); err != nil {
			t.Fatal(err)
		}
		if !attributes["studies"].Equal(found[answer]) ||
			!attributes["response_json"].Equal(tftypes.NewValue(tftypes.String, answer)) ||
			!attributes["name"].Equal(tftypes.NewValue(tftypes.String, "x")) {
			t.Errorf("%q: %s", answer, state)
		}
	}
}

// A lookup whose answer has further pages warns, and returns the first one. The warning does not
// quote the answer.
func TestStudies_furtherPages(t *testing.T) {
	t.Parallel()
	const body = `{"studies":[{"name":"ATLAS"}],"next_cursor":"canary"}`
	w := newWire(t, newAnswer(t, body))
	schema := w.schema.DataSourceSchemas["notification_studies"]
	resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config:   w.value(t, schema, map[string]any{"name": "x"}),
	})
	if err != nil || len(resp.Diagnostics) != 1 {
		t.Fatalf("%v, %+v", err, resp)
	}
	warning := resp.Diagnostics[0]
	if warning.Severity != tfprotov6.DiagnosticSeverityWarning ||
		warning.Summary != "Only the first page of studies was read" ||
		!strings.Contains(warning.Detail, `"next_cursor"`) ||
		strings.Contains(warning.Detail, "canary") {
		t.Errorf("%+v", warning)
	}
	state, err := resp.State.Unmarshal(schema.ValueType())
	if err != nil || !strings.Contains(state.String(), "ATLAS") {
		t.Errorf("%v, %s", err, state)
	}
}

// A lookup that fails is an error of the data source, and stores nothing.
func TestStudies_failure(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"studies": "status:404"}
	}))
	resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config: w.value(t, w.schema.DataSourceSchemas["notification_studies"],
			map[string]any{"name": "x"}),
	})
	if err != nil || len(resp.Diagnostics) != 1 ||
		resp.Diagnostics[0].Summary != "Unable to look up studies" {
		t.Errorf("%v, %+v", err, resp.Diagnostics)
	}
}
