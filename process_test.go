package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// roleVariable makes the test binary play another part than running tests.
const roleVariable = "PROCESS_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case "parent":
		child := exec.CommandContext(context.Background(), os.Args[0])
		child.Env = append(child.Environ(), roleVariable+"=child")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	case "child":
		endWithParent(new(sync.RWMutex))
		fmt.Println("ready")
	default:
		panic("unknown role " + role)
	}
	time.Sleep(time.Minute) // by then the test has failed: leave nothing behind
}

// Terraform that is killed leaves no provider behind.
func TestEndWithParent(t *testing.T) {
	t.Parallel()
	parent := exec.CommandContext(t.Context(), os.Args[0])
	parent.Env = append(parent.Environ(), roleVariable+"=parent")
	stdout, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); line != "ready\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := lines.ReadByte() // until the child has gone too
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the child lives on")
	}
	_ = parent.Wait() // with an error: it was killed
}

// The process waits for the calls under way, and then until their answers have left.
func TestFinish(t *testing.T) {
	t.Parallel()
	const reply = 20 * time.Millisecond
	running := new(sync.RWMutex)
	running.RLock()
	finished := make(chan time.Time)
	go func() {
		finish(running, time.Hour, reply)
		finished <- time.Now()
	}()
	select {
	case <-finished:
		t.Fatal("did not wait for the call")
	case <-time.After(2 * reply):
	}
	ended := time.Now()
	running.RUnlock()
	if waited := (<-finished).Sub(ended); waited < reply {
		t.Errorf("waited for %s: the answer may be lost", waited)
	}
	if running.TryRLock() {
		t.Error("another call may begin")
	}
}

func TestFinish_limit(t *testing.T) {
	t.Parallel()
	running := new(sync.RWMutex)
	running.RLock()
	began := time.Now()
	const limit = 10 * time.Millisecond
	finish(running, limit, 0) // returns all the same
	if took := time.Since(began); took < limit {
		t.Errorf("did not wait: %s", took)
	}
}

func TestWantsLogs(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]bool{
		"TF_LOG=TRACE":                       true,
		"TF_LOG=JSON":                        true,
		"TF_LOG=warn":                        true,
		"TF_LOG_PROVIDER=DEBUG":              true,
		"TF_LOG_PROVIDER_NOTIFICATION=DEBUG": true,
		"TF_LOG_SDK=TRACE":                   true,
		"TF_LOG_SDK_PROTO=TRACE":             true,
		"TF_LOG=":                            false,
		"TF_LOG=off":                         false,
		"TF_LOG_PROVIDER=OFF":                false,
		"TF_LOG_CORE=TRACE":                  false,
		"TF_LOG_PATH=/tmp/log":               false,
		"TF_LOG_PATH_MASK=%s":                false,
		"TF_LOGS=TRACE":                      false,
		"XTF_LOG=TRACE":                      false,
		"PATH=/bin":                          false,
	} {
		if got := wantsLogs([]string{"HOME=/", variable}); got != want {
			t.Errorf("%s: %t", variable, got)
		}
	}
}
