package main

import (
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// gcPercent replaces Go's default of 100, with which a small heap is collected many times a second.
// An apply of 200 notifications took 0.99 s of the provider's CPU and 32 MB with GOGC=100, 0.79 s
// and 39 MB with 200, 0.70 s and 50 MB with 400, 0.71 s and 70 MB with 800. There is no memory
// limit: if a large lookup needed more than the limit, the collector would take all CPU time.
const gcPercent = 400

// tuneMemory trades a little memory for CPU time, unless the user has chosen otherwise.
func tuneMemory() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// quietLogs turns the loggers off when nobody will see what they write. Without these variables the
// SDK writes every line at TRACE to Terraform, which parses it and throws it away
// (https://github.com/hashicorp/terraform-plugin-framework/issues/1269). The two subsystems of the
// SDK have levels of their own, and collect the fields of a line before they check the level of
// TF_LOG_SDK (https://github.com/hashicorp/terraform-plugin-framework/issues/721).
//
// The standard logger is never shown: net/http writes pieces of answers to it, secrets included.
func quietLogs(debugging bool) error {
	log.SetOutput(io.Discard)
	if debugging || wantsLogs(os.Environ()) {
		return nil
	}
	for _, variable := range []string{
		"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_NOTIFICATION",
	} {
		if err := os.Setenv(variable, "OFF"); err != nil {
			return err
		}
	}
	return nil
}

// wantsLogs reports whether a variable asks for the logs of providers. TF_LOG_CORE asks for those
// of Terraform itself, and TF_LOG_PATH says where logs are written.
func wantsLogs(environ []string) bool {
	return slices.ContainsFunc(environ, func(variable string) bool {
		name, value, _ := strings.Cut(variable, "=")
		asks := name == "TF_LOG" || strings.HasPrefix(name, "TF_LOG_PROVIDER") ||
			strings.HasPrefix(name, "TF_LOG_SDK")
		return asks && value != "" && !strings.EqualFold(value, "OFF")
	})
}

// maxFinish bounds how long the process waits for its calls once Terraform has gone: it is more than
// the client gives a submission that was cancelled.
const maxFinish = 15 * time.Second

// replyTime is how long the answer of a call may take to leave the process: the call ends before
// the SDK writes it, and Terraform may still be there to read it.
const replyTime = time.Second

// endWithParent ends the process soon after its parent, Terraform, has gone, and lets the calls
// that hold running for reading end first. It must never be called under -debug, where Terraform is
// not the parent. Without -debug, a shell that starts the provider manually, or a script that does so
// without exec, is taken for Terraform: that is documented, not detected.
//
// SIGTERM and SIGHUP do not end the process, as SIGINT does not with the SDK: whoever ends a run
// often signals its whole process group, and a provider that ended at once would take with it the
// answers to what it has submitted. Terraform stops it by the protocol.
//
// It is called first, and if Terraform has gone even before that, the SDK ends the process: it
// writes the address of the server to a standard output that nobody reads, which is a SIGPIPE.
func endWithParent(running *sync.RWMutex) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGHUP)
	parent := os.Getppid()
	go func() {
		awaitEnd(parent)
		finish(running, maxFinish, replyTime)
		os.Exit(1)
	}()
}

// awaitEnd returns when the parent has gone. Its end is not an event on Unix, but gives the process
// another parent. Windows keeps the number for ever, but can wait for any process.
func awaitEnd(parent int) {
	if runtime.GOOS == "windows" {
		process, err := os.FindProcess(parent)
		if err != nil {
			select {} // not ours to watch
		}
		_, _ = process.Wait() // fails for its exit status at most
		return
	}
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
}

// finish waits for the calls that hold running for reading, and lets no other begin. Their contexts
// were cancelled when the connection to Terraform broke, so it does not take them long. Then it
// waits until their answers have left.
func finish(running *sync.RWMutex, limit, reply time.Duration) {
	finished := make(chan struct{})
	go func() {
		running.Lock()
		close(finished)
	}()
	select {
	case <-finished:
	case <-time.After(limit):
	}
	time.Sleep(reply)
}
