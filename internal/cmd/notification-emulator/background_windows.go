package main

import (
	"os/exec"
	"syscall"
)

const stopHint = "taskkill /F /PID %d stops it"

const detachedProcess = 0x8

// detach makes command a process without a console. It inherits nothing but its standard streams.
func detach(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP,
	}
}
