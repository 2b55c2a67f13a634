// Command notification-emulator runs a local stand-in for the notification service: by itself
// (serve), or around another command (exec).
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// version is set by the linker.
var version = "dev"

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run is the command without the process around it: env holds KEY=VALUE entries, the result is the
// exit status. The end of ctx is an order to stop.
func run(
	ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer,
) int {
	problem := "a subcommand is missing"
	if len(args) > 0 {
		switch args[0] {
		case "serve":
			return runServe(ctx, args[1:], stdin, stdout, stderr)
		case backgroundCommand:
			return serveInBackground(ctx, args[1:], stdin, stdout)
		case "exec":
			return runExec(ctx, args[1:], env, stdin, stdout, stderr)
		case "health":
			return runHealth(ctx, args[1:], env, stdout, stderr)
		case "version", "-version", "--version":
			show(stdout, "notification-emulator "+version+"\n")
			return exitOK
		case "help", "-h", "-help", "--help":
			show(stdout, helpText("usage"))
			return exitOK
		}
		problem = fmt.Sprintf("there is no subcommand %q", args[0])
	}
	complain(stderr, problem)
	show(stderr, helpText("usage"))
	return exitUsage
}
