package docs

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Troubleshooting explains each title in the golden file, and none that the code does not have. It
// leaves out names and ids at the end of titles.
func TestTitles(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(prose(t, "docs/guides/troubleshooting.md"), "\n## Every title\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var explained []string
	rows := regexp.MustCompile(`(?m)^\| ([A-Za-z][^|]*) \|`).FindAllStringSubmatch(table, -1)
	for _, row := range rows[1:] { // without the head
		explained = append(explained, strings.Split(row[1], ", ")...)
	}

	var sources strings.Builder // without tests
	for _, name := range []string{"provider", "settings", "protocol"} {
		files, _ := fs.Glob(repository, "internal/"+name+"/*.go") // the pattern is valid
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				sources.WriteString(read(t, file))
			}
		}
	}
	code := sources.String()
	for _, title := range explained {
		if !strings.Contains(code, `"`+title+`"`) && !strings.Contains(code, `"`+title+` `) {
			t.Errorf("the code has no string that begins with the title %q", title)
		}
	}

	golden := read(t, "internal/provider/testdata/diagnostics.golden.md")
	printed := regexp.MustCompile(`(?m)^## .*\n\n(?:Error|Warning): (.*)$`).
		FindAllStringSubmatch(golden, -1)
	if len(printed) == 0 {
		t.Error("the golden file has no titles")
	}
	for _, match := range printed {
		if title, _, _ := strings.Cut(match[1], " ("); !slices.Contains(explained, title) {
			t.Errorf("docs/guides/troubleshooting.md does not explain %q", title)
		}
	}
}

// Each guide that an error links to exists, with the heading.
func TestErrorLinks(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(repository, "internal/provider/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`(?s)\.see\(.*?, "([a-z-]+)#?([a-z-]*)"\)`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code := read(t, file)
		found := links.FindAllStringSubmatch(code, -1)
		if len(found) != strings.Count(code, ".see(") {
			t.Errorf("%s: the guides of some errors are no literals", file)
		}
		for _, link := range found {
			page := "docs/guides/" + link[1] + ".md"
			if _, err := fs.Stat(repository, page); err != nil {
				t.Errorf("%s: %v", file, err)
			} else if link[2] != "" && !slices.Contains(anchors(prose(t, page)), link[2]) {
				t.Errorf("%s: there is no heading #%s in %s", file, link[2], page)
			}
		}
	}
}
