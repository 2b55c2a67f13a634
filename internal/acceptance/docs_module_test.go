//go:build unix

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var module = filepath.Join(repository, "examples", "modules", "announcement")

// newModule returns a workspace with a copy of the example module in a folder of it. It skips the
// test if the module needs a newer Terraform.
func newModule(t *testing.T, folder string) *workspace {
	t.Helper()
	w := newWorkspace(t, nil)
	skipBelow(t, fileText(t, module, "main.tf"))
	if err := os.CopyFS(filepath.Join(w.dir, folder), os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	return w
}

// The module's own tests pass, without terraform init.
func TestModuleTestsItself(t *testing.T) {
	t.Parallel()
	w := newModule(t, ".")
	w.useFakeProvider(t)
	w.must(t, "validate")
	checkSources(t, fileText(t, module, "main.tf"))
	mocks := "1.7"
	if terraformVersion.program == "OpenTofu" {
		mocks = "1.8"
	}
	if !hasVersion(t, mocks) {
		skip(t, "needs mocks, of Terraform 1.7 and OpenTofu 1.8")
	}
	const sending = "terraform test -test-directory=tests/emulator"
	w.must(t, "get", "-test-directory=tests/emulator")
	w.mustScript(t, "notification-emulator exec -expect 2 -- "+sending)
	w.setenv("NOTIFICATION_AUTH_URL", "") // with mocks, no setting is needed and nothing is sent
	w.mustScript(t, "terraform test")
	if out, status := w.script(t, sending); status == 0 {
		t.Errorf("without a service, the other tests pass:\n%s", out)
	}
	w.sent(t)
}

// The README's example announces each release once, and nothing when it is destroyed.
func TestModuleAnnouncesEachRelease(t *testing.T) {
	t.Parallel()
	w := newModule(t, "announcement")
	blocks := codeBlocks(t, filepath.Join(module, "README.md"))
	if len(blocks) != 2 || !strings.Contains(blocks[0].text, `module "announcement"`) {
		t.Fatalf("these are not the README's blocks: %+v", blocks)
	}
	w.put(t, "main.tf", blocks[0].text)
	w.must(t, "get")
	w.apply(t)
	w.settled(t)
	w.sent(t, "checkout 1.4.2 is live in production")
	w.apply(t, "-var=release=1.4.3")
	w.must(t, "destroy")
	w.sent(t, "checkout 1.4.3 is live in production")
}
