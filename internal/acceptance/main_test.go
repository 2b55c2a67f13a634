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
	"sync"
	"testing"

	"terraform-provider-notification/internal/acceptance/fakeprovider"
	"terraform-provider-notification/internal/provider"
)

var (
	terraformPath    string // the program under test
	terraformVersion struct {
		program      string // Terraform or OpenTofu
		major, minor int
	}
	cliConfig string // CLI configuration; the provider is in its folder
)

// TestMain builds the provider and asks Terraform for its version, once for all tests. Like all
// acceptance tests, these run only if TF_ACC is set.
func TestMain(m *testing.M) {
	fakeprovider.ServeIfAsked("fake", "http")
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if os.Getenv("TF_ACC") == "" {
		fmt.Println("TF_ACC is not set: no acceptance tests.")
		return 0
	}
	dir, err := os.MkdirTemp("", "acceptance")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
		err = prepare(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
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
	cliConfig = filepath.Join(dir, "terraform.rc")
	return errors.Join(build(filepath.Join(dir, "terraform-provider-notification"), "."),
		os.WriteFile(cliConfig, overrides(dir, ""), 0o600))
}

// buildVersion is the version of the provider under test; no Terraform has it.
const buildVersion = "0.0.0-test"

// build builds a package of the module, given by its path below the root, as a release does.
func build(binary, pkg string) error {
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -X main.version="+buildVersion,
		"-o", executable(binary), path.Join("terraform-provider-notification", pkg))
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

// overrides returns a CLI configuration that makes Terraform use the provider in dir, with more
// overrides.
func overrides(dir, more string) []byte {
	return fmt.Appendf(nil,
		"disable_checkpoint = true\n"+
			"provider_installation {\n  dev_overrides {\n    %q = %q\n%s  }\n  direct {}\n}\n",
		provider.Source, dir, more)
}

// fakeProvider returns the path of a CLI configuration that also has the fake provider, as
// hashicorp/fake and hashicorp/http. The plugins are this program under other names.
var fakeProvider = sync.OnceValues(func() (string, error) {
	own := filepath.Dir(cliConfig)
	dir := filepath.Join(own, "fakeprovider")
	config := filepath.Join(dir, "terraform.rc")
	self, err := os.Executable()
	err = errors.Join(err, os.Mkdir(dir, 0o700),
		os.Symlink(self, executable(filepath.Join(dir, "terraform-provider-fake"))),
		os.Symlink(self, executable(filepath.Join(dir, "terraform-provider-http"))))
	if err == nil {
		more := fmt.Sprintf("    \"hashicorp/fake\" = %[1]q\n    \"hashicorp/http\" = %[1]q\n", dir)
		err = os.WriteFile(config, overrides(own, more), 0o600)
	}
	return config, err
})

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

// skipWithout skips the test without a program, or a version of Terraform (MAJOR.MINOR).
func skipWithout(t *testing.T, need string) {
	t.Helper()
	if terraformVersion.program == "OpenTofu" {
		need = cmp.Or(laterInOpenTofu[need], need)
	}
	if strings.Contains(need, ".") {
		if !hasVersion(t, need) {
			skip(t, "needs "+terraformVersion.program+" "+need)
		}
	} else if _, err := exec.LookPath(need); need != "" && err != nil {
		skip(t, "needs "+need)
	}
}

// skip skips a test that needs a newer Terraform. With the newest one, CI sets TF_ACC_NO_SKIP,
// which makes skipping an error.
func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("TF_ACC_NO_SKIP") != "" {
		t.Fatal("skipped with TF_ACC_NO_SKIP: " + why)
	}
	t.Skip(why)
}
