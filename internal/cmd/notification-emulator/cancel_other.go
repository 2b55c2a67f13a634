//go:build !windows

package main

import (
	"context"
	"os/exec"
	"syscall"
)

// startCommand starts command, which gets SIGTERM at the end of its context. It may take its time:
// Terraform that is killed leaves a lock and loses state.
func startCommand(_ context.Context, command *exec.Cmd) (ended func(), err error) {
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	return func() {}, command.Start()
}
