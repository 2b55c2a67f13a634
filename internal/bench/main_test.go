//go:build unix

package bench

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/fakeprovider"
)

// plugins is the folder where Terraform finds the providers. Each is a link to this program, which
// runs the real provider: only the parent of a process learns its exact peak memory use. GNU time,
// the parent in a shell script, is not on every machine, and rounds CPU times to 10 ms.
var plugins string

// TestMain builds the provider; the fake one is in this program. Like acceptance tests, benchmarks
// run only if TF_ACC is set.
func TestMain(m *testing.M) {
	fakeprovider.ServeIfAsked("fake-real")
	if strings.HasPrefix(filepath.Base(os.Args[0]), "terraform-provider-") {
		if err := runProvider(os.Args[0]); err != nil {
			log.Fatal(err)
		}
		return
	}
	flag.Parse()
	if benchmarks := flag.Lookup("test.bench"); benchmarks.Value.String() == "" {
		return // go test without -bench
	}
	if os.Getenv("TF_ACC") == "" {
		fmt.Println("TF_ACC is not set: no applies.")
		return
	}
	var err error
	if plugins, err = os.MkdirTemp("", "bench"); err == nil {
		defer func() { _ = os.RemoveAll(plugins) }() // a temporary folder
		err = install()
	}
	if err != nil {
		log.Panic(err)
	}
	m.Run()
}

// install builds the provider as a release does. It links this program in its place, and twice in
// place of the fake provider.
func install() error {
	plugin := filepath.Join(plugins, "terraform-provider-notification")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", plugin+"-real",
		"github.com/notification/terraform-provider-notification")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	self, err := os.Executable()
	fake := filepath.Join(plugins, "terraform-provider-fake")
	return errors.Join(err, os.Symlink(self, plugin), os.Symlink(self, fake),
		os.Symlink(self, fake+"-real"))
}

// runProvider runs the real provider, and adds a line to the file "usage": peak resident memory in
// bytes, CPU time in ns.
func runProvider(plugin string) error {
	signal.Ignore(os.Interrupt) // a terminal sends it to every process; Terraform ends its providers
	provider := exec.Command(plugin + "-real")
	provider.Stdin, provider.Stdout, provider.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := provider.Run(); err != nil {
		return err
	}
	process := provider.ProcessState
	peak := process.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS != "darwin" {
		peak <<= 10 // in KiB
	}
	file, err := os.OpenFile(filepath.Join(filepath.Dir(plugin), "usage"),
		os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, peak, int64(process.UserTime()+process.SystemTime()))
	return errors.Join(err, file.Close())
}
