package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"terraform-provider-notification/internal/provider"
)

// A state goes from Terraform's registry to that of OpenTofu, to a fork and back: first where its
// addresses are replaced, then, the other way round, where only the source is another one. Nothing
// changes, and nothing is sent.
func TestStateOfAnotherAddress(t *testing.T) {
	t.Parallel()
	first := tfaddr.MustParseProviderSource(provider.Source) // that of the state
	tofu, fork := first, providerAddress()
	tofu.Hostname, fork.Namespace = "registry.opentofu.org", "fork"

	folder := filepath.Dir(cliConfig)
	config := filepath.Join(t.TempDir(), "terraform.rc")
	var others strings.Builder
	for _, each := range []tfaddr.Provider{first, tofu, fork} {
		if each != providerAddress() {
			fmt.Fprintf(&others, "    %q = %q\n", each, folder)
		}
	}
	if err := os.WriteFile(config, overrides(folder, others.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t, nil)
	w.setenv("TF_CLI_CONFIG_FILE", config)
	w.copy(t, filepath.Join("testdata", "states", "0.1.0.tfstate"), "terraform.tfstate")
	w.copy(t, filepath.Join("testdata", "states", "main.tf"), "main.tf")
	from, source := first, provider.Source
	for hop, to := range []tfaddr.Provider{tofu, fork, first, fork, tofu, first} {
		if hop < 3 {
			w.must(t, "state", "replace-provider", "-auto-approve", from.String(), to.String())
		}
		next := to.String()
		if to == providerAddress() {
			next = provider.Source
		}
		w.edit(t, `"`+source+`"`, `"`+next+`"`)
		if output := w.apply(t); !strings.Contains(output, "0 added, 0 changed, 0 destroyed") {
			t.Fatalf("from %s to %s:\n%s", from, to, output)
		}
		w.stateNames(t, to)
		from, source = to, next
	}
	w.silent(t, "other addresses")
}

// stateNames fails the test unless the state has all of its notifications by that address.
func (w *workspace) stateNames(t *testing.T, address tfaddr.Provider) {
	t.Helper()
	state := fileText(t, w.dir, "terraform.tfstate")
	quoted := fmt.Sprintf(`"provider[\"%s\"]"`, address)
	if got := strings.Count(state, quoted); got != len(w.instances(t)) || got == 0 {
		t.Errorf("%d of %d notifications are of %s", got, len(w.instances(t)), address)
	}
}
