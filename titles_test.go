package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// summaryIn has the index of the summary among the arguments of each function that reports one.
var summaryIn = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0,
	"NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
	"failedRequest": 0, "incompleteWarning": 0,
}

// Troubleshooting explains every title of an error or warning, without names and ids at its end,
// and no other.
func TestTitles(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(prose(t, "docs/guides/troubleshooting.md"), "\n## Every title\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var explained []string
	rows := regexp.MustCompile(`(?m)^\| ([A-Za-z][^|]*) \|`).FindAllStringSubmatch(table, -1)
	for _, row := range rows[1:] { // without the head
		explained = append(explained, strings.Split(row[1], ", ")...)
	}
	slices.Sort(explained)

	printed := map[string]bool{}
	constant := regexp.MustCompile(`^(?:fmt\.Sprintf\()?("[^"]*")`)
	passedOn := regexp.MustCompile(`^(?:summary|r\.summary|\w+\.Summary\(\))$`) // and read elsewhere
	hasSummary := regexp.MustCompile(`\bsummary\b`)
	for _, folder := range []string{"provider", "settings", "protocol"} {
		sources, err := filepath.Glob("internal/" + folder + "/*.go")
		if err != nil || len(sources) == 0 {
			t.Fatalf("no file of %s, %v", folder, err)
		}
		for _, source := range sources {
			if strings.HasSuffix(source, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, source, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(node ast.Node) bool {
				var title ast.Expr
				switch n := node.(type) {
				case *ast.CallExpr:
					name := types.ExprString(n.Fun)
					if i, ok := summaryIn[name[strings.LastIndexByte(name, '.')+1:]]; ok {
						title = n.Args[i]
					}
				case *ast.CompositeLit:
					if n.Type != nil && types.ExprString(n.Type) == "rule" {
						title = n.Elts[0]
					}
				case *ast.AssignStmt:
					if types.ExprString(n.Lhs[0]) == "summary" {
						title = n.Rhs[0]
					}
				case *ast.FuncDecl:
					_, known := summaryIn[n.Name.Name]
					if !known && hasSummary.MatchString(types.ExprString(n.Type)) {
						t.Errorf("%s: add %s to summaryIn", source, n.Name.Name)
					}
				}
				if title == nil {
					return true
				}
				text := types.ExprString(title)
				if quoted := constant.FindStringSubmatch(text); quoted != nil {
					name, _ := strconv.Unquote(quoted[1])
					name, _, _ = strings.Cut(name, " (")
					printed[strings.TrimSpace(name)] = true
				} else if !passedOn.MatchString(text) {
					t.Errorf("%s: cannot read the title %s", files.Position(title.Pos()), text)
				}
				return true
			})
		}
	}
	if titles := slices.Sorted(maps.Keys(printed)); !slices.Equal(explained, titles) {
		t.Errorf("docs/guides/troubleshooting.md explains\n%q\nthe code has\n%q", explained, titles)
	}
}
