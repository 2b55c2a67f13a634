package docs

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// Every name of Go that the pages for contributors have in backticks is in the code.
func TestNames(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	_ = fs.WalkDir(repository, ".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			code.WriteString(read(t, path))
		}
		return err
	})
	name := regexp.MustCompile("`([a-z_]*[A-Z][a-z]+[A-Za-z_]*)`")
	for _, page := range []string{"CONTRIBUTING.md", "ARCHITECTURE.md", "AGENTS.md"} {
		for _, found := range name.FindAllStringSubmatch(prose(t, page), -1) {
			if !regexp.MustCompile(`\b` + found[1]).MatchString(code.String()) {
				t.Errorf("%s: the code has no %s", page, found[1])
			}
		}
	}
}
