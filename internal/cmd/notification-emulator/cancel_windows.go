package main

import (
	"context"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

// graceTime is how long a command may take to end by itself. When a console closes, Windows kills
// its processes after 5 seconds.
const graceTime = 3 * time.Second

var (
	kernel32                 = syscall.NewLazyDLL("kernel32.dll")
	createJobObject          = kernel32.NewProc("CreateJobObjectW")
	setInformationJobObject  = kernel32.NewProc("SetInformationJobObject")
	assignProcessToJobObject = kernel32.NewProc("AssignProcessToJobObject")
)

// startCommand starts command, which is killed graceTime after the end of ctx, its context. Windows
// has no signal that would ask it to end, but tells every process of a console by itself when
// Ctrl+C is pressed or the console closes.
//
// What command starts is in a job with it, which is killed with this process: others have no softer
// way to end this one. After the end of command, ended kills the rest of the job if ctx has ended,
// and sets it free otherwise. If Windows allows no job, only command is killed.
func startCommand(ctx context.Context, command *exec.Cmd) (ended func(), err error) {
	command.Cancel = func() error { return nil }
	command.WaitDelay = graceTime
	job, _, _ := createJobObject.Call(0, 0)
	limitJob(job, jobObjectLimitKillOnJobClose)
	ended = func() {
		if ctx.Err() == nil {
			limitJob(job, 0)
		}
		_ = syscall.CloseHandle(syscall.Handle(job))
	}
	if err := command.Start(); err != nil {
		ended()
		return nil, err
	}
	_ = command.Process.WithHandle(func(process uintptr) {
		_, _, _ = assignProcessToJobObject.Call(job, process)
	})
	return ended, nil
}

const (
	jobObjectExtendedLimitInformation = 9
	jobObjectLimitKillOnJobClose      = 0x2000
)

// limitJob sets the LimitFlags of a job. They are the third of the 8-byte words of
// JOBOBJECT_EXTENDED_LIMIT_INFORMATION: 18 with pointers of 8 bytes, 14 with pointers of 4.
func limitJob(job uintptr, flags uint64) {
	limits := make([]uint64, 10+unsafe.Sizeof(job))
	limits[2] = flags
	//nolint:gosec // Windows takes an address
	_, _, _ = setInformationJobObject.Call(job, jobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits[0])), uintptr(len(limits)*8))
}
