package provider

import (
	"regexp"
	"strings"
	"testing"
)

// quotes are texts of the service, which follow a colon.
var quotes = regexp.MustCompile(`: "[^"]*"`)

// fitsScreen checks that a text has at most limit words that are neither the service's nor in lines
// for its operators, names one guide at most, and has each command alone.
func fitsScreen(t *testing.T, name, text string, limit int) {
	t.Helper()
	words := 0
	for line := range strings.Lines(quotes.ReplaceAllString(text, "")) {
		if !strings.HasPrefix(line, "    ") || isCommand(line) {
			words += len(strings.Fields(line))
		}
	}
	if guides := strings.Count(text, "See the guide"); words > limit || guides > 1 {
		t.Errorf("%s: %d words, %d guides", name, words, guides)
	}
	commandsAlone(t, text)
}

var commands = regexp.MustCompile("`|terraform (apply|import|plan|state|destroy)")

func isCommand(line string) bool { return strings.HasPrefix(line, "    terraform ") }

// commandsAlone checks that each command is an indented line of its own, which Terraform does not
// wrap, and which fits into 80 columns beside Terraform's frame. Above it, in the same paragraph, may
// stand when not to run it.
func commandsAlone(t *testing.T, text string) {
	t.Helper()
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		condition, command, found := strings.Cut(paragraph, "\n")
		if !found || !strings.HasPrefix(condition, "    # ") {
			command = paragraph
		}
		if isCommand(command) {
			if len(command) > 78 || strings.Contains(command, "\n") {
				t.Errorf("not a command of one line: %s", paragraph)
			}
		} else if commands.MatchString(paragraph) {
			t.Errorf("a command in prose: %s", paragraph)
		}
	}
}
