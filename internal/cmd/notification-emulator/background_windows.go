package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

const stopHint = "taskkill /F /PID %d stops it"

const detachedProcess = 0x8

// detach makes command a process without a console that inherits nothing but w, whose number
// becomes its last argument.
func detach(command *exec.Cmd, w *os.File) error {
	handle := syscall.Handle(w.Fd())
	command.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags:              detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP,
		AdditionalInheritedHandles: []syscall.Handle{handle},
	}
	command.Args = append(command.Args, strconv.FormatUint(uint64(handle), 10))
	return syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, 1)
}
