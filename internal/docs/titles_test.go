package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// titled are the functions that take a title, and the index of that argument.
var titled = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0, "NewAttributeErrorDiagnostic": 1,
	"NewAttributeWarningDiagnostic": 1, "failedRequest": 0, "incompleteWarning": 0, "unique": 0,
}

// Troubleshooting explains each title, and none that the code does not have. It leaves out names
// and ids at the end of titles. All titles are constants, so that the test finds them.
func TestTitles(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(prose(t, "docs/guides/troubleshooting.md"), "\n## Every title\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var explained, titles []string
	rows := regexp.MustCompile(`(?m)^\| ([A-Za-z][^|]*) \|`).FindAllStringSubmatch(table, -1)
	for _, row := range rows[1:] { // without the head
		explained = append(explained, strings.Split(row[1], ", ")...)
	}
	inspect := func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			for _, value := range node.Values {
				literal, ok := value.(*ast.BasicLit)
				if ok && strings.HasPrefix(strings.ToLower(node.Names[0].Name), "title") {
					title, _ := strconv.Unquote(literal.Value)
					titles = append(titles, title)
				}
			}
		case *ast.CallExpr:
			name, _ := node.Fun.(*ast.Ident)
			if selector, ok := node.Fun.(*ast.SelectorExpr); ok {
				name = selector.Sel
			}
			if name == nil {
				return true
			}
			if index, ok := titled[name.Name]; ok {
				ast.Inspect(node.Args[index], func(part ast.Node) bool {
					literal, ok := part.(*ast.BasicLit)
					if ok && literal.Value != `" "` {
						t.Errorf("%s: the title %s is not a constant", name.Name, literal.Value)
					}
					return true
				})
			}
		}
		return true
	}
	for _, name := range []string{"provider", "settings", "protocol"} {
		files, _ := fs.Glob(repository, "internal/"+name+"/*.go") // the pattern is valid
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, read(t, file), 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, inspect)
		}
	}
	slices.Sort(explained)
	slices.Sort(titles)
	for _, title := range explained {
		if !slices.Contains(titles, title) {
			t.Errorf("the code has no title %q", title)
		}
	}
	for _, title := range slices.Compact(titles) {
		if !slices.Contains(explained, title) {
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
