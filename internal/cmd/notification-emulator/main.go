// Command notification-emulator runs a local stand-in for the notification service: by itself
// (serve), or around another command (exec).
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"strings"

	"terraform-provider-notification/internal/emulator"
)

// Exit statuses of the command itself; those of 125 and above are those of env and of a shell.
const (
	exitOK            = 0
	exitFailure       = 1
	exitUsage         = 2
	exitOwnFailure    = 125 // of exec, where 1 and 2 may be the command's
	exitNotExecutable = 126
	exitNotFound      = 127
	exitSignal        = 128 // plus the number of the signal
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
	if len(args) == 0 {
		complain(stderr, "a subcommand is missing")
		show(stderr, helpText("usage"))
		return exitUsage
	}
	switch args[0] {
	case "serve":
		return serve(ctx, args[1:], stdin, stdout, stderr)
	case "exec":
		return execute(ctx, args[1:], env, stdin, stdout, stderr)
	case "version", "-version", "--version":
		show(stdout, "notification-emulator "+version+"\n")
		return exitOK
	case "help", "-h", "-help", "--help":
		show(stdout, helpText("usage"))
		return exitOK
	}
	complain(stderr, fmt.Sprintf("there is no subcommand %q", args[0]))
	show(stderr, helpText("usage"))
	return exitUsage
}

func complain(stderr io.Writer, problem any) {
	show(stderr, fmt.Sprintf("notification-emulator: %v\n", problem))
}

// show writes text to one of the standard streams: when that fails, there is nowhere left to say
// so.
func show(w io.Writer, text string) {
	_, _ = io.WriteString(w, text)
}

//go:embed help
var help embed.FS

// showHelp explains a subcommand.
func showHelp(w io.Writer, subcommand string) {
	for _, name := range []string{subcommand, "flags", "requests"} {
		show(w, helpText(name)+"\n")
	}
	show(w, emulator.FaultUsage())
}

// synopsis is the first line of the help of a subcommand.
func synopsis(subcommand string) string {
	line, _, _ := strings.Cut(helpText(subcommand), "\n")
	return line + "\n"
}

// helpText is a file of help/, which is always there.
func helpText(name string) string {
	text, _ := help.ReadFile("help/" + name + ".txt")
	return string(text)
}
