//go:build unix

package acceptance

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeBlock is a fenced block of a documentation page. A comment before it, <!-- test: KEY
// KEY=VALUE KEY="VALUE" … -->, which no reader sees, controls how it is tested.
type codeBlock struct {
	line     int
	language string
	text     string
	options  map[string]string // a key alone has the value ""
}

func (b codeBlock) has(option string) bool {
	_, ok := b.options[option]
	return ok
}

// The keys that a comment may have.
const (
	optionNeeds   = "needs"   // MAJOR.MINOR of Terraform; the block is skipped below that
	optionProgram = "program" // a program on PATH; the block is skipped without it
	optionApply   = "apply"   // apply the configuration, in a new workspace
	optionFile    = "file"    // add the block to the current workspace, under that name
	optionRun     = "run"     // run the commands in the current workspace
	optionSyntax  = "syntax"  // only check that a shell can parse the commands
	optionRelease = "release" // as syntax; make release-check runs the commands, on the release
	optionStatus  = "status"  // exit status; 0 unless given
	optionSends   = "sends"   // submissions that the service accepts; none unless given
	optionFaults  = "faults"  // faults that the emulator injects into the next submissions
	optionPrints  = "prints"  // text that the output must contain

	// JSON with the first request to that target that the last configuration made.
	optionReceived = "received"
)

var knownOptions = []string{
	optionNeeds, optionProgram, optionApply, optionFile, optionRun, optionSyntax, optionRelease, optionStatus,
	optionSends, optionFaults, optionPrints, optionReceived,
}

var (
	fence       = regexp.MustCompile("^```(.*)$")
	testOption  = regexp.MustCompile(`^\s*(\w+)(?:=("[^"]*"|\S+))?`)
	testComment = regexp.MustCompile(`^<!-- test: (.*) -->$`)
)

// pages returns the Markdown files whose blocks are tested. The pages in docs/ are generated, and
// so cover templates/ and examples/ too.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "internal/emulator/*.md"} {
		matches, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil || len(matches) == 0 {
			t.Fatalf("no file matches %s, %v", pattern, err)
		}
		found = append(found, matches...)
	}
	return found
}

// codeBlocks returns the fenced blocks of a page.
func codeBlocks(t *testing.T, page string) []codeBlock {
	t.Helper()
	var blocks []codeBlock
	var open *codeBlock
	options := map[string]string{}
	for i, line := range strings.Split(fileText(t, page), "\n") {
		mark := fence.FindStringSubmatch(line)
		switch {
		case open == nil && mark != nil:
			open = &codeBlock{line: i + 1, language: mark[1], options: options}
			options = map[string]string{}
		case open != nil && line == "```":
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		case testComment.MatchString(line):
			options = testOptions(t, testComment.FindStringSubmatch(line)[1])
		case strings.Contains(line, "```") || strings.HasPrefix(strings.TrimSpace(line), "<!-- test"):
			t.Errorf("%s:%d: a fence or a test comment must begin its line", page, i+1)
		}
	}
	if open != nil || len(options) > 0 {
		t.Errorf("%s: a block is not closed, or a test comment has no block", page)
	}
	return blocks
}

// testOptions reads the inside of a test comment.
func testOptions(t *testing.T, text string) map[string]string {
	t.Helper()
	options := map[string]string{}
	for strings.TrimSpace(text) != "" {
		match := testOption.FindStringSubmatch(text)
		if match == nil {
			t.Fatalf("a test comment cannot be read at %q", text)
		}
		options[match[1]] = strings.Trim(match[2], `"`)
		text = text[len(match[0]):]
	}
	for key := range maps.Keys(options) {
		if !slices.Contains(knownOptions, key) {
			t.Errorf("a test comment has the unknown key %q", key)
		}
	}
	return options
}
