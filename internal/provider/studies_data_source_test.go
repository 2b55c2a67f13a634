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
	resp := must(w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config:   w.value(t, schema, map[string]any{"name": "x"}),
	}))
	if err := must(resp.State.Unmarshal(schema.ValueType())).As(&state); err != nil {
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
	for answer, want := range found {
		state, diagnostics := newAnswer(t, answer).wire(t, nil).lookUp(t)
		onlySays(t, answer, diagnostics, "")
		if !state["studies"].Equal(want) ||
			!state["response_json"].Equal(tftypes.NewValue(tftypes.String, answer)) ||
			!state["name"].Equal(tftypes.NewValue(tftypes.String, "x")) {
			t.Errorf("%q: %s", answer, state)
		}
	}
}

// A lookup that fails, and one that is not JSON, is an error; nothing is stored.
func TestStudies_failure(t *testing.T) {
	t.Parallel()
	_, diagnostics := newAnswer(t, "[1").wire(t, nil).lookUp(t)
	onlySays(t, "broken off", diagnostics, "studies: ... JSON that breaks off ... request id ")
	state, diagnostics := newBackend(t, faulty("studies", "status:404")).wire(t, nil).lookUp(t)
	onlySays(t, "not found", diagnostics, "Unable to look up studies: ")
	if !state["studies"].IsNull() {
		t.Errorf("stored %s", state)
	}
}

// A lookup whose answer has further pages warns, and returns the first one. The warning does not
// quote the answer.
func TestStudies_furtherPages(t *testing.T) {
	t.Parallel()
	const body = `{"studies":[{"name":"ATLAS"}],"next_cursor":"canary"}`
	state, diagnostics := newAnswer(t, body).wire(t, nil).lookUp(t)
	onlySays(t, "two pages", diagnostics,
		`Warning: ... Only the first page of studies was read: ... "next_cursor"`)
	if text := strings.Join(described(t, diagnostics), ""); strings.Contains(text, "canary") ||
		!strings.Contains(state["studies"].String(), "ATLAS") {
		t.Errorf("%s, %s", text, state)
	}
}
