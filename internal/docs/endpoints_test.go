package docs

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"

	"github.com/notification/terraform-provider-notification/internal/client"
	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/provider"
)

// No part of a data source and its endpoint is missing of those that no other test would miss.
// Their names follow from that of the data source, as CONTRIBUTING.md says.
func TestDataSourcesAreWhole(t *testing.T) {
	t.Parallel()
	service, err := emulator.New(emulator.Config{ClientID: "id", ClientSecret: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	for _, create := range provider.New("test").DataSources(t.Context()) {
		var as datasource.MetadataResponse
		create().Metadata(t.Context(),
			datasource.MetadataRequest{ProviderTypeName: "notification"}, &as)
		kind := as.TypeName
		name := strings.TrimPrefix(kind, "notification_") // such as studies, or open_studies
		words := strings.ReplaceAll(name, "_", " ")
		flag := "-" + strings.ReplaceAll(name, "_", "-") + "-path"
		title := strings.ToUpper(words[:1]) + words[1:]
		if _, ok := service.Faults()[name]; !ok {
			t.Errorf("%s: the emulator has no endpoint %q", kind, name)
		}
		if !slices.Contains(client.Operations(), client.Operation("look up "+words)) {
			t.Errorf("%s: the client cannot look up %s", kind, words)
		}
		for file, text := range map[string]string{
			"CHANGELOG.md": "`" + kind + "`",
			"examples/data-sources/" + kind + "/data-source.tf":  `data "` + kind + `" "`,
			"internal/acceptance/docs_examples_test.go":          kind + "/data-source.tf",
			"internal/client/" + name + "_test.go":               "func Test",
			"internal/emulator/README.md":                        "`" + flag + "`",
			"internal/emulator/" + name + "_test.go":             "func Test",
			"internal/provider/" + name + "_data_source_test.go": "func TestAcc",
			"internal/provider/testdata/diagnostics.golden.md":   "\n## " + name + ": ",
			"templates/data-sources/" + name + ".md.tmpl":        kind,
			"templates/guides/service-contract.md":               "\n## " + title + "\n",
		} {
			if content, err := fs.ReadFile(repository, file); err != nil ||
				!strings.Contains(string(content), text) {
				t.Errorf("%s: %s is missing, or has no %q", kind, file, text)
			}
		}
	}
}
