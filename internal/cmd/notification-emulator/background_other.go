//go:build !windows

package main

import (
	"os"
	"os/exec"
	"syscall"
)

const stopHint = "kill %d stops it"

// detach makes command a process without a terminal that holds open nothing of this one but w,
// whose number becomes its last argument.
func detach(command *exec.Cmd, w *os.File) error {
	// Not every system lists the descriptors that this process was given.
	for fd := 3; fd < 1<<16; fd++ {
		syscall.CloseOnExec(fd)
	}
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	command.ExtraFiles = []*os.File{w}
	command.Args = append(command.Args, "3")
	return nil
}
