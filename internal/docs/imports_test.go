package docs

import (
	"os/exec"
	"strings"
	"testing"
)

// imports has the packages of this module that each one may import, besides tests: "package:
// those". All are below internal/; main is the root.
const imports = `
main: protocol provider
protocol:
provider: settings client
settings: client client/wire
client: client/wire client/response client/redact
client/wire: client/redact
client/response:
client/redact:
emulator: emulator/fault emulator/ledger emulator/notification
emulator/fault:
emulator/ledger: emulator/notification
emulator/notification:
emulator/emulatortest: emulator
cmd/notification-emulator: emulator
memnet:
docs:
docs/schema: provider
bench:
acceptance:
fakeprovider:
tools/release:
`

// Imports run in one direction. Of Terraform's packages, client imports only the logger.
func TestImports(t *testing.T) {
	t.Parallel()
	const logger = "github.com/hashicorp/terraform-plugin-log/"
	const module = "github.com/notification/terraform-provider-notification"
	command := exec.CommandContext(t.Context(), "go", "list", "-f",
		`{{.ImportPath}}:{{range .Imports}} {{.}}{{end}}`, module+"/...")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	short := func(path string) string {
		return strings.TrimPrefix(strings.TrimPrefix(path, module+"/internal/"), module+"/")
	}
	for line := range strings.Lines(string(out)) {
		path, found, _ := strings.Cut(strings.TrimSpace(line), ":")
		name := short(path)
		if path == module {
			name = "main"
		}
		_, rest, known := strings.Cut(imports, "\n"+name+":")
		may, _, _ := strings.Cut(rest, "\n")
		if !known {
			t.Errorf("%s is not in the list of imports", name)
		}
		for imported := range strings.FieldsSeq(found) {
			ours := strings.HasPrefix(imported, module+"/")
			terraform := strings.HasPrefix(name, "client") &&
				strings.HasPrefix(imported, "github.com/hashicorp/") && !strings.HasPrefix(imported, logger)
			if terraform || ours && !strings.Contains(may+" ", " "+short(imported)+" ") {
				t.Errorf("%s must not import %s", name, imported)
			}
		}
	}
}
