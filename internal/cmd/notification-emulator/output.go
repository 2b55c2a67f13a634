package main

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"terraform-provider-notification/internal/emulator/fault"
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
	show(w, fault.Usage())
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
