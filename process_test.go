package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// roleVariable makes the test binary act as Terraform or as the provider.
const roleVariable = "PROCESS_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case "terraform":
		provider := exec.CommandContext(context.Background(), os.Args[0])
		provider.Env = append(provider.Environ(), roleVariable+"=provider")
		provider.Stdin, provider.Stdout = os.Stdin, os.Stdout
		if err := provider.Run(); err != nil {
			panic(err)
		}
	case "provider":
		surviveSignals()
		fmt.Println(os.Getpid())
		_, _ = io.Copy(os.Stdout, os.Stdin) // until the test closes stdin
	default:
		panic("unknown role " + role)
	}
}

// After SIGTERM or SIGHUP the process runs until its parent has exited.
func TestSurviveSignals(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals")
	}
	stdin, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = input.Close() }() // ends both processes
	output, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	terraform := exec.CommandContext(t.Context(), os.Args[0])
	terraform.Env = append(terraform.Environ(), roleVariable+"=terraform")
	terraform.Stdin, terraform.Stdout = stdin, stdout
	if err := errors.Join(terraform.Start(), stdin.Close(), stdout.Close(),
		output.SetReadDeadline(time.Now().Add(time.Minute))); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(output)
	var pid int
	if _, err := fmt.Fscanln(lines, &pid); err != nil {
		t.Fatal(err)
	}
	provider, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}

	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if err := provider.Signal(signal); err != nil {
			t.Fatal(err)
		}
		for range 2000 { // enough for the signal to be handled
			_, err := fmt.Fprintln(input, signal)
			if line, _ := lines.ReadString('\n'); line != signal.String()+"\n" || err != nil {
				t.Fatalf("after the signal %s, the provider wrote %q, %v", signal, line, err)
			}
		}
	}

	if err := terraform.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = terraform.Wait() // returns an error, since it was killed
	if _, err := lines.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the orphaned provider still runs: %v", err)
	}
}

func TestWantsLogs(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]bool{
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
		"PATH=/bin":                          false,
	} {
		if got := wantsLogs([]string{"HOME=/", variable}); got != want {
			t.Errorf("%s: got %t, want %t", variable, got, want)
		}
	}
}
