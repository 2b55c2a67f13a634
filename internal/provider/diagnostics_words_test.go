package provider

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// quotes are texts of the service, which follow a colon.
var quotes = regexp.MustCompile(`: "[^"]*"`)

// An error fits on a screen: the words that are not the service's, nor facts for its operators.
func TestDiagnosticsWords(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile(filepath.Join("testdata", "diagnostics.golden.md"))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(strings.Fields(string(golden))); got > 5500 {
		t.Errorf("%d words in all errors, more than 5500", got)
	}
	entries := strings.Split(strings.TrimPrefix(string(golden), "## "), "\n## ")
	if len(entries) != len(situations()) {
		t.Fatalf("%d entries", len(entries))
	}
	for _, entry := range entries {
		name, text, _ := strings.Cut(entry, "\n")
		limit, withKey := 60, 90
		if strings.Contains(text, "may have accepted") {
			limit, withKey = 110, 150
		}
		if strings.Contains(name, "key") {
			limit = withKey
		}
		ours := 0
		for line := range strings.Lines(quotes.ReplaceAllString(text, "")) {
			if !strings.HasPrefix(line, "    ") || isCommand(line) {
				ours += len(strings.Fields(line))
			}
		}
		if ours > limit {
			t.Errorf("%s: %d words, more than %d", name, ours, limit)
		}
		if strings.Count(text, "See the guide") > 1 {
			t.Errorf("%s names more than one guide", name)
		}
		commandsAlone(t, text)
	}
}

var commands = regexp.MustCompile("`|terraform (apply|import|plan|state|destroy)")

func isCommand(line string) bool { return strings.HasPrefix(line, "    terraform ") }

// commandsAlone checks that each command is a paragraph of one indented line, which Terraform does
// not wrap, and which fits into 80 columns beside Terraform's frame.
func commandsAlone(t *testing.T, text string) {
	t.Helper()
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if isCommand(paragraph) {
			if len(paragraph) > 78 || strings.Contains(paragraph, "\n") {
				t.Errorf("not a command of one line: %s", paragraph)
			}
		} else if commands.MatchString(paragraph) {
			t.Errorf("a command in prose: %s", paragraph)
		}
	}
}

// The errors and warnings of a plan are not in the golden file.
func TestPlanDiagnostics_commandsAlone(t *testing.T) {
	t.Parallel()
	changed := []change{{"channels", true}}
	for _, confirmed := range []types.Bool{
		types.BoolNull(), types.BoolValue(false), types.BoolValue(true),
	} {
		commandsAlone(t, sameKeyError([]string{"triggers"}, confirmed).Detail())
	}
	for _, sameKey := range []bool{false, true} {
		commandsAlone(t, notSentWarning(changed, types.StringNull(), sameKey).Detail())
		commandsAlone(t, undecidedWarning(changed, sameKey).Detail())
	}
	commandsAlone(t, unannouncedWarning(types.MapNull(types.StringType)).Detail())
}
