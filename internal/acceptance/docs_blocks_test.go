//go:build unix

package acceptance

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is the root of the checkout.
const repository = "../.."

// codeBlock is a fenced block of a page. A comment on the line before it, which no reader sees, says
// how it is tested: <!-- test: KEY KEY=VALUE … -->. Without one, an HCL block is validated in a new
// folder, with required_providers added where they are missing. The keys:
//
//	apply               apply the configuration
//	file=NAME           add the block, as this file, to the folder of the blocks before it
//	run                 run the commands in that folder
//	syntax              only check that a shell can parse the commands
//	sends=1             how many notifications arrive; 0 by default
//	status=1            the exit status; 0 by default
//	faults=reset-after  faults, each of which a submission must meet
//	needs=1.7           the oldest Terraform version, or a program such as jq; without it, this block
//	                    and those after it in the folder are skipped
type codeBlock struct {
	line     int
	language string
	text     string
	options  map[string]string // a key alone has the value ""
}

var knownOptions = strings.Fields("apply faults file needs run sends status syntax")

func (b codeBlock) has(option string) bool {
	_, ok := b.options[option]
	return ok
}

// pages returns the paths, below the repository, of the Markdown files whose blocks are tested. The
// pages in docs/ are generated from templates/ and examples/.
func pages(t *testing.T) (found []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "templates/*.tmpl", "templates/*/*", "internal/*/*.md"} {
		matches, err := fs.Glob(os.DirFS(repository), pattern)
		if err != nil || len(matches) == 0 {
			t.Fatalf("no file matches %s, %v", pattern, err)
		}
		found = append(found, matches...)
	}
	return found
}

var (
	fenced  = regexp.MustCompile("(?ms)^(?:<!-- test: ([^\n]*) -->\n)?```(\\w+)\n(.*?)^```\n")
	strayed = regexp.MustCompile("(?m)^\\s*<!-- test.*$|^.*```.*$")
)

// codeBlocks returns the fenced blocks of a page.
func codeBlocks(t *testing.T, page string) (blocks []codeBlock) {
	t.Helper()
	line, rest, prose := 1, fileText(t, repository, page), ""
	for _, match := range fenced.FindAllStringSubmatch(rest, -1) {
		before, after, _ := strings.Cut(rest, match[0])
		line += strings.Count(before, "\n")
		options := map[string]string{}
		for field := range strings.FieldsSeq(match[1]) {
			key, value, _ := strings.Cut(field, "=")
			if !slices.Contains(knownOptions, key) {
				t.Fatalf("%s:%d: the comment has the unknown key %q", page, line, key)
			}
			options[key] = value
		}
		blocks = append(blocks, codeBlock{line, match[2], match[3], options})
		line += strings.Count(match[0], "\n")
		rest, prose = after, prose+before
	}
	if stray := strayed.FindString(prose + rest); stray != "" {
		t.Fatalf("%s: this belongs to no block, or does not begin its line: %s", page, stray)
	}
	return blocks
}
