//go:build !windows

package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

const stopHint = "kill %d stops it"

// detach makes command a process without a terminal that holds open nothing that this one was
// given, as far as the system lists it.
func detach(command *exec.Cmd) {
	for _, list := range []string{"/proc/self/fd", "/dev/fd"} {
		entries, _ := os.ReadDir(list) // none on some systems
		for _, entry := range entries {
			if fd, err := strconv.Atoi(entry.Name()); err == nil {
				syscall.CloseOnExec(fd) // command gets others for 0, 1 and 2
			}
		}
	}
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
