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
)

// tuneMemory trades a little memory for CPU time, unless the user has chosen otherwise. An apply of
// 200 notifications took 0.99 s of the provider's CPU and 32 MB with GOGC=100, Go's default, 0.79 s
// and 39 MB with 200, 0.70 s and 50 MB with 400, 0.71 s and 70 MB with 800. There is no memory limit:
// if a large lookup needed more than the limit, the collector would take all CPU time.
func tuneMemory() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
	}
}

// quietLogs turns the loggers off when nobody will see what they write. Without these variables the
// SDK writes every line at TRACE to Terraform, which parses it and throws it away
// (https://github.com/hashicorp/terraform-plugin-framework/issues/1269). The two subsystems of the
// SDK have levels of their own, and collect the fields of a line before they check the level of
// TF_LOG_SDK (https://github.com/hashicorp/terraform-plugin-framework/issues/721).
func quietLogs(debugging bool) {
	log.SetOutput(io.Discard) // net/http writes pieces of responses to it, secrets included
	if !debugging {
		_ = os.Unsetenv("TF_LOG_SDK_PROTO_DATA_DIR") // or the SDK writes secrets there, for anyone
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

// surviveSignals keeps the process alive on SIGTERM and SIGHUP, as the SDK does on SIGINT: both
// reach the whole process group of a run that is ended, and a provider that ended at once would lose
// the responses to what it has submitted. Terraform stops it by the protocol. Only a process that
// Terraform left behind, and so has another parent, ends. (On Windows a parent stays the parent, and
// the system ends a process soon after it was told to close.)
func surviveSignals() {
	parent := os.Getppid()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for range signals {
			if os.Getppid() != parent {
				os.Exit(1)
			}
		}
	}()
}
