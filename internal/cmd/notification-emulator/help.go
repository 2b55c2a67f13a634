package main

import (
	"embed"
	"io"
	"strings"

	"terraform-provider-notification/internal/emulator"
)

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
