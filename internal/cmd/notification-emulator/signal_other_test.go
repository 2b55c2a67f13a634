//go:build !windows

package main

import (
	"os"
	"syscall"
)

func ownConsole() *syscall.SysProcAttr { return nil }

func send(process *os.Process, s os.Signal) error { return process.Signal(s) }
