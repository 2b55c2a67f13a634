package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

// asProvider makes the test binary act as the provider: as main with arguments, and otherwise as a
// provider that echoes lines.
const asProvider = "PROCESS_TEST_AS_PROVIDER"

func TestMain(m *testing.M) {
	if os.Getenv(asProvider) == "" {
		os.Exit(m.Run())
	}
	if len(os.Args) > 1 {
		main()
		return
	}
	surviveSignals()
	_, _ = io.Copy(os.Stdout, os.Stdin) // until the test closes stdin
}

// With -debug, the provider waits for Terraform, and writes what that needs into a file.
func TestDebug(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows cannot interrupt a process")
	}
	file := filepath.Join(t.TempDir(), "debug.env")
	debugged := exec.CommandContext(t.Context(), os.Args[0], "-debug", "-debug-env", file)
	debugged.Env = append(debugged.Environ(), asProvider+"=1")
	if err := debugged.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for end := time.Now().Add(20 * time.Second); len(text) == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
		text, _ = os.ReadFile(file) // until it is there
	}
	want := fmt.Sprintf(`{"%s":{"Protocol":"grpc","ProtocolVersion":6,"Pid":%d,`,
		tfaddr.MustParseProviderSource(provider.Source), debugged.Process.Pid)
	err := errors.Join(debugged.Process.Signal(os.Interrupt), debugged.Wait())
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
}

// SIGTERM and SIGHUP do not end the process while its parent runs. Acceptance tests show that it
// ends with its parent.
func TestSurviveSignals(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals")
	}
	echoing := exec.CommandContext(t.Context(), os.Args[0])
	echoing.Env = append(echoing.Environ(), asProvider+"=1")
	input, inputErr := echoing.StdinPipe()
	output, outputErr := echoing.StdoutPipe()
	if err := errors.Join(inputErr, outputErr, echoing.Start()); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(output)
	echo := func(when string) {
		t.Helper()
		for range 2000 { // enough for the signal to be handled
			_, err := fmt.Fprintln(input, when)
			if line, _ := lines.ReadString('\n'); line != when+"\n" || err != nil {
				t.Fatalf("%s the provider wrote %q, %v", when, line, err)
			}
		}
	}
	echo("at first") // its handler is there
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if err := echoing.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		echo("after the signal " + signal.String())
	}
	if err := errors.Join(input.Close(), echoing.Wait()); err != nil {
		t.Error(err)
	}
}

// Unless a variable asks for logs, the loggers are off: Terraform would read and discard each line.
func TestQuietLogs(t *testing.T) {
	for variable, wanted := range map[string]bool{
		"TF_LOG=TRACE":                       true,
		"TF_LOG=warn":                        true,
		"TF_LOG_PROVIDER_NOTIFICATION=DEBUG": true,
		"TF_LOG_SDK_PROTO=TRACE":             true,
		"TF_LOG=":                            false,
		"TF_LOG=off":                         false,
		"TF_LOG_PROVIDER=OFF":                false,
		"TF_LOG_CORE=TRACE":                  false,
		"TF_LOG_PATH=/tmp/log":               false,
		"XTF_LOG=TRACE":                      false,
	} {
		loggers := []string{
			"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_NOTIFICATION",
		}
		for _, name := range append(loggers, "TF_LOG", "TF_LOG_PROVIDER") {
			t.Setenv(name, "") // restored after the test
		}
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
		quietLogs(false)
		for _, logger := range loggers {
			if got := os.Getenv(logger); (got == "OFF") == wanted {
				t.Errorf("%s: %s=%s", variable, logger, got)
			}
		}
	}
}
