package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// asProvider makes the test binary act as a provider that echoes lines.
const asProvider = "PROCESS_TEST_AS_PROVIDER"

func TestMain(m *testing.M) {
	if os.Getenv(asProvider) == "" {
		os.Exit(m.Run())
	}
	surviveSignals()
	_, _ = io.Copy(os.Stdout, os.Stdin) // until the test closes stdin
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
