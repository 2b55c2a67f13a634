// Command notification-emulator runs a local stand-in for the notification service, either alone
// (serve) or for another command (exec).
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// Exit statuses. Those from 125 on are the same as in env and in a shell.
const (
	exitOK            = 0
	exitFailure       = 1
	exitUsage         = 2
	exitOwnFailure    = 125 // of exec, where 1 and 2 may come from COMMAND
	exitNotExecutable = 126
	exitNotFound      = 127
	exitSignal        = 128 // plus the number of the signal
)

const usage = `Usage:

  notification-emulator serve [flags]                      run until interrupted
  notification-emulator exec [flags] -- COMMAND [ARGS...]  run COMMAND against a new emulator
  notification-emulator health [-wait DURATION] [URL]      exit 1 unless an emulator responds at URL
  notification-emulator --version

URL defaults to http://127.0.0.1:8080. With -wait, health retries until an emulator responds or
DURATION has passed.

The emulator is a strict local stand-in for the notification service. See
"notification-emulator serve -h" and "notification-emulator exec -h".
`

// version is set by the linker.
var version = "dev"

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status. env holds KEY=VALUE entries. The command stops
// when ctx ends.
func run(
	ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer,
) int {
	problem := "a subcommand is missing"
	if len(args) > 0 {
		switch args[0] {
		case "serve":
			return runServe(ctx, args[1:], env, stdout, stderr)
		case "exec":
			return runExec(ctx, args[1:], env, stdin, stdout, stderr)
		case "health":
			return runHealth(ctx, args[1:], stdout, stderr)
		case "version", "-version", "--version":
			show(stdout, "notification-emulator "+version+"\n")
			return exitOK
		case "help", "-h", "-help", "--help":
			show(stdout, usage)
			return exitOK
		}
		problem = fmt.Sprintf("there is no subcommand %q", args[0])
	}
	return fail(stderr, problem+"\n"+usage, exitUsage)
}

// fail prints a problem and returns the status.
func fail(stderr io.Writer, problem any, status int) int {
	show(stderr, "notification-emulator: "+strings.TrimRight(fmt.Sprint(problem), "\n")+"\n")
	return status
}

// show writes text to a standard stream, and ignores errors because they cannot be reported.
func show(w io.Writer, text string) {
	_, _ = io.WriteString(w, text)
}
