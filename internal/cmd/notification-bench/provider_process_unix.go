//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the largest resident set that a process that has ended had, in bytes.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(usage.Maxrss) //nolint:unconvert // has 32 bits on some platforms
	if runtime.GOOS == "darwin" {
		return peak // in bytes there, in KiB elsewhere
	}
	return peak << 10
}
