package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

// gcPercent replaces Go's default of 100, with which a small heap is collected many times a second.
// An apply of 200 notifications took 0.99 s of the provider's CPU and 32 MB with GOGC=100, 0.79 s
// and 39 MB with 200, 0.70 s and 50 MB with 400, 0.71 s and 70 MB with 800. There is no memory
// limit: if a large lookup needed more than the limit, the collector would take all CPU time.
const gcPercent = 400

// tuneMemory trades a little memory for CPU time, unless the user has chosen otherwise.
func tuneMemory() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// quietLogs turns the loggers off when nobody will see what they write. Without these variables the
// SDK writes every line at TRACE to Terraform, which parses it and throws it away
// (https://github.com/hashicorp/terraform-plugin-framework/issues/1269). The two subsystems of the
// SDK have levels of their own, and collect the fields of a line before they check the level of
// TF_LOG_SDK (https://github.com/hashicorp/terraform-plugin-framework/issues/721).
func quietLogs(debugging bool) error {
	if debugging || wantsLogs(os.Environ()) {
		return nil
	}
	for _, variable := range []string{
		"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_NOTIFICATION",
	} {
		if err := os.Setenv(variable, "OFF"); err != nil {
			return err
		}
	}
	return nil
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

// outliveTermination lets Terraform decide when the provider ends, as the SDK does for SIGINT.
// Whoever ends a run often signals its whole process group; a provider that ended at once would
// take with it the answers to what it has submitted. Terraform stops it by the protocol. Without
// Terraform it ends.
func outliveTermination() {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	terraform := os.Getppid()
	go func() {
		for range terminated {
			if os.Getppid() != terraform {
				os.Exit(1)
			}
		}
	}()
}
