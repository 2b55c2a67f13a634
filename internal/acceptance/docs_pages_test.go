//go:build unix

package acceptance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every block of every page is tested, in order, as a reader would follow it: a configuration in a
// new empty folder, and the blocks after it in that folder.
func TestPages(t *testing.T) {
	t.Parallel()
	var tested []string
	for _, text := range examples(t) {
		tested = append(tested, strings.TrimSpace(text))
	}
	for _, page := range pages(t) {
		name, err := filepath.Rel(repository, page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			session := &session{page: t}
			for _, block := range codeBlocks(t, page) {
				if slices.Contains(tested, strings.TrimSpace(block.text)) {
					continue // TestExamples tests it, or only a CI runner can run it
				}
				t.Run(fmt.Sprintf("line %d", block.line), func(t *testing.T) { session.test(t, block) })
			}
		})
	}
}

// session is the run of one page's blocks.
type session struct {
	page      *testing.T // workspaces outlive the blocks that create them
	workspace *workspace // of the last block with a configuration
	below     string     // the version that block needed, if Terraform is older
	output    string     // of the previous block that was not text
	skipped   bool       // whether that block was skipped
}

func (s *session) test(t *testing.T, block codeBlock) {
	added := block.has(optionFile)
	needs := block.options[optionNeeds]
	if required := requiredVersion.FindStringSubmatch(block.text); needs == "" && required != nil {
		needs = required[1]
	}
	if needs != "" && !hasVersion(t, needs) {
		if !added {
			s.below = needs
		}
		s.skipped = true
		skip(t, "needs Terraform "+needs)
	}
	if program := block.options[optionProgram]; program != "" {
		if _, err := exec.LookPath(program); err != nil {
			s.skipped = true
			skip(t, "needs "+program)
		}
	}
	if block.language == "text" && s.skipped {
		skip(t, "the block before it was skipped")
	}
	if s.below != "" && (added || block.has(optionRun)) { // they need that block
		s.skipped = true
		skip(t, "the block before it needs Terraform "+s.below)
	}
	switch block.language {
	case "terraform":
		if !added {
			s.workspace, s.below = newWorkspace(s.page, nil), ""
			s.workspace.useFakeProvider(t) // instead of the other providers on a page
		}
		s.expect(t, block, s.configuration)
	case "sh", "shell":
		s.expect(t, block, s.shell)
	case "json":
		if block.has(optionReceived) {
			s.showsRequest(t, block)
		} else if !json.Valid([]byte(block.text)) {
			t.Errorf("not JSON: %s", block.text)
		}
	case "text":
		s.showsOutput(t, block)
	case "mermaid":
	default:
		t.Errorf("nothing tests a block in the language %q", block.language)
	}
}

// expect runs a block and compares the result with its options.
func (s *session) expect(
	t *testing.T, block codeBlock, run func(*testing.T, codeBlock) (string, int),
) {
	t.Helper()
	if faults, ok := block.options[optionFaults]; ok {
		s.workspace.setSubmissionFaults(t, faults)
	}
	before := 0
	switch {
	case s.workspace == nil:
	case block.language == "terraform":
		s.workspace.ClearLedger()
	default: // the service still knows the keys that it has seen
		before = len(s.workspace.Ledger().Submissions)
	}
	output, status := run(t, block)
	s.output, s.skipped = words(output), false
	if want := block.number(t, optionStatus); status != want {
		t.Errorf("exit status %d, want %d\n%s\n%s", status, want, block.text, output)
	}
	if want := words(block.options[optionPrints]); !strings.Contains(s.output, want) {
		t.Errorf("does not print %q:\n%s", want, output)
	}
	if s.workspace != nil {
		got, want := len(s.workspace.Ledger().Submissions)-before, block.number(t, optionSends)
		if got != want {
			t.Errorf("%d submissions, want %d\n%s", got, want, output)
		}
	}
}

// showsOutput checks that the previous block printed the lines of block, in order and perhaps with
// others between them. … stands for any text.
func (s *session) showsOutput(t *testing.T, block codeBlock) {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(block.text, "\n") {
		lines = append(lines, strings.ReplaceAll(regexp.QuoteMeta(words(line)), "…", ".*"))
	}
	if !regexp.MustCompile(`\w`).MatchString(block.text) {
		t.Error("the block is empty")
	} else if !regexp.MustCompile(strings.Join(lines, ".*")).MatchString(s.output) {
		t.Errorf("the output is not\n%s\nbut\n%s", block.text, s.output)
	}
}

func (b codeBlock) number(t *testing.T, option string) int {
	t.Helper()
	n, err := strconv.Atoi(b.options[option])
	if b.options[option] != "" && err != nil {
		t.Fatal(err)
	}
	return n
}

// configuration validates a block with Terraform's configuration, and applies it if it is marked
// so. If it names no provider source, a file with the source is added.
func (s *session) configuration(t *testing.T, block codeBlock) (string, int) {
	t.Helper()
	w := s.workspace
	checkRecipients(t, block.text)
	name := cmp.Or(block.options[optionFile], "main.tf")
	w.put(t, name, block.text)
	switch {
	case name != "main.tf":
	case strings.Contains(block.text, "required_providers"):
		checkSources(t, block.text)
		w.put(t, "versions.tf", "")
	default:
		w.put(t, "versions.tf", required)
	}
	if block.has(optionApply) {
		return w.terraform(t, "apply")
	}
	if strings.HasSuffix(name, ".tftest.hcl") {
		return w.terraform(t, "get", "-no-color") // its modules; a later block runs the tests
	}
	return w.terraform(t, "validate", "-no-color")
}

// shell runs commands, or parses those that only a release or a reader runs.
func (s *session) shell(t *testing.T, block codeBlock) (string, int) {
	t.Helper()
	if block.has(optionRun) {
		if s.workspace == nil {
			s.workspace = newWorkspace(s.page, nil)
		}
		return s.workspace.script(t, block.text)
	}
	if !block.has(optionSyntax) && !block.has(optionRelease) {
		t.Error("mark the block with run, or with syntax")
	}
	return newWorkspace(t, nil).script(t, "set -n\n"+block.text)
}
