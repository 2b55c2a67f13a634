package main

import (
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
)

// tuneMemory trades a little memory for CPU time, unless the user has set GOGC or GOMEMLIMIT. An
// apply of 200 notifications took 0.99 s of the provider's CPU and 32 MB with GOGC=100, Go's
// default, 0.79 s and 39 MB with 200, 0.70 s and 50 MB with 400, 0.71 s and 70 MB with 800. It sets
// no memory limit: if a large lookup exceeded it, the collector would take all CPU time.
func tuneMemory() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
	}
}

// quietLogs turns the loggers off unless someone reads the logs. By default the SDK writes every
// line, down to TRACE, to Terraform, which parses and discards it
// (https://github.com/hashicorp/terraform-plugin-framework/issues/1269). The two subsystems of the
// SDK have separate levels, and collect the fields of a line before they check the level of
// TF_LOG_SDK (https://github.com/hashicorp/terraform-plugin-framework/issues/721).
func quietLogs(debugging bool) {
	log.SetOutput(io.Discard) // net/http logs parts of responses, which may contain secrets
	if !debugging {
		_ = os.Unsetenv("TF_LOG_SDK_PROTO_DATA_DIR") // the SDK writes secrets there, world-readable
	}
	if debugging || wantsLogs(os.Environ()) {
		return
	}
	for _, variable := range []string{
		"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_NOTIFICATION",
	} {
		_ = os.Setenv(variable, "OFF") // fails for invalid names only
	}
}

// wantsLogs reports whether a variable enables the logs of providers. TF_LOG_CORE enables only
// Terraform's own logs, and TF_LOG_PATH only sets their file.
func wantsLogs(environ []string) bool {
	return slices.ContainsFunc(environ, func(variable string) bool {
		name, value, _ := strings.Cut(variable, "=")
		enables := name == "TF_LOG" || strings.HasPrefix(name, "TF_LOG_PROVIDER") ||
			strings.HasPrefix(name, "TF_LOG_SDK")
		return enables && value != "" && !strings.EqualFold(value, "OFF")
	})
}

// surviveSignals keeps the process running on SIGTERM and SIGHUP, as the SDK does on SIGINT. These
// signals reach the whole process group of a cancelled run, and a provider that exited at once
// would lose the responses to its submissions. Terraform stops the provider through the plugin
// protocol. If it dies instead, perhaps a while after the signal, the provider gets no other signal
// (https://github.com/hashicorp/terraform/issues/23527), but the process has another parent, and
// exits. (On Windows the parent process ID never changes, and the system ends a process soon after
// asking it to close.)
func surviveSignals() {
	parent := os.Getppid()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		os.Exit(1)
	}()
}
