package acceptance

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/fakeprovider"
	"github.com/notification/terraform-provider-notification/internal/provider"
)

var (
	terraformPath    string // the program under test
	terraformVersion struct {
		program      string // Terraform or OpenTofu
		major, minor int
	}
	cliConfig string // CLI configuration; the providers are in its folder
)

// TestMain builds the provider and asks Terraform for its version, once for all tests. Like all
// acceptance tests, these run only if TF_ACC is set.
func TestMain(m *testing.M) {
	fakeprovider.ServeIfAsked("fake", "http")
	if os.Getenv("TF_ACC") == "" {
		fmt.Println("TF_ACC is not set: no acceptance tests.")
		return
	}
	dir, err := os.MkdirTemp("", "acceptance")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
		err = prepare(dir)
	}
	if err != nil {
		panic(err)
	}
	m.Run()
}

func prepare(dir string) error {
	terraformPath = os.Getenv("TF_ACC_TERRAFORM_PATH")
	for _, name := range []string{"terraform", "tofu"} {
		if terraformPath == "" {
			terraformPath, _ = exec.LookPath(name) // checked below
		}
	}
	if terraformPath == "" {
		return errors.New("neither terraform nor tofu is on PATH; set TF_ACC_TERRAFORM_PATH")
	}
	version := exec.Command(terraformPath, "version")
	version.Env = append(version.Environ(), "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+os.DevNull)
	out, err := version.Output()
	if err == nil {
		v := &terraformVersion
		_, err = fmt.Sscanf(string(out), "%s v%d.%d", &v.program, &v.major, &v.minor)
	}
	if err != nil {
		return fmt.Errorf("%s version: %w", terraformPath, err)
	}
	// Besides the provider, there is the fake provider, instead of the others in examples and pages.
	// Its plugins are this program under other names.
	cliConfig = filepath.Join(dir, "terraform.rc")
	overrides := fmt.Sprintf(`
disable_checkpoint = true
provider_installation {
  dev_overrides {
    %[1]q            = %[2]q
    "hashicorp/fake" = %[2]q
    "hashicorp/http" = %[2]q
  }
  direct {}
}
`, provider.Source, dir)
	self, err := os.Executable()
	return errors.Join(err, os.WriteFile(cliConfig, []byte(overrides), 0o600),
		build(filepath.Join(dir, "terraform-provider-notification"), "."),
		link(self, filepath.Join(dir, "terraform-provider-fake")),
		link(self, filepath.Join(dir, "terraform-provider-http")))
}

// link gives an executable another name. On Windows, a symbolic link needs a privilege; a hard link
// needs the same file system, where a debugger may not have built this program.
func link(program, name string) error {
	if os.Link(program, executable(name)) == nil {
		return nil
	}
	return os.Symlink(program, executable(name))
}

// buildVersion is the version of the provider under test; no Terraform has it.
const buildVersion = "0.0.0-test"

// build builds a package of the module, given by its path below the root, as a release does.
func build(binary, pkg string) error {
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -X main.version="+buildVersion,
		"-o", executable(binary), path.Join(
			"github.com/notification/terraform-provider-notification", pkg))
	command.Env = append(command.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// hasVersion reports whether the program under test has at least that MAJOR.MINOR.
func hasVersion(t *testing.T, wanted string) bool {
	t.Helper()
	var major, minor int
	if _, err := fmt.Sscanf(wanted, "%d.%d", &major, &minor); err != nil {
		t.Fatalf("version %q: %v", wanted, err)
	}
	got := terraformVersion
	return got.major > major || got.major == major && got.minor >= minor
}

// hasActions reports whether the program under test offers actions.
func hasActions(t *testing.T) bool {
	t.Helper()
	return terraformVersion.program != "OpenTofu" && hasVersion(t, "1.14")
}

// laterInOpenTofu has the versions of OpenTofu with what these versions of Terraform added: mocks,
// moves from other types, ephemeral values.
var laterInOpenTofu = map[string]string{"1.7": "1.8", "1.8": "1.10", "1.10": "1.11"}

// skipWithout skips the test without a program, or a version of Terraform (MAJOR.MINOR). With the
// newest Terraform, CI sets TF_ACC_NO_SKIP, which makes skipping an error.
func skipWithout(t *testing.T, need string) {
	t.Helper()
	missing := false
	if terraformVersion.program == "OpenTofu" {
		need = cmp.Or(laterInOpenTofu[need], need)
	}
	if strings.Contains(need, ".") {
		missing = !hasVersion(t, need)
	} else if need != "" {
		_, err := exec.LookPath(need)
		missing = err != nil
	}
	if missing && os.Getenv("TF_ACC_NO_SKIP") != "" {
		t.Fatal("skipped with TF_ACC_NO_SKIP: needs " + need)
	}
	if missing {
		t.Skip("needs " + need)
	}
}
