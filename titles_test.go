package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Troubleshooting explains every title of an error or warning, without names and ids at its end,
// and no other.
func TestTitles(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(prose(t, "docs/guides/troubleshooting.md"), "\n## Every title\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var explained []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Za-z][^|]*) \|`).FindAllStringSubmatch(table, -1) {
		if row[1] != "Title" {
			explained = append(explained, strings.Split(row[1], ", ")...)
		}
	}
	slices.Sort(explained)
	printed := map[string]bool{}
	for _, pattern := range []string{"provider", "settings", "protocol"} {
		files, err := filepath.Glob("internal/" + pattern + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("no file of %s, %v", pattern, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				addTitles(t, file, printed)
			}
		}
	}
	if titles := slices.Sorted(maps.Keys(printed)); !slices.Equal(explained, titles) {
		t.Errorf("docs/guides/troubleshooting.md explains\n%q\nthe code has\n%q", explained, titles)
	}
}

// summaryIn has the index of the summary among the arguments of each function that reports one.
var summaryIn = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0,
	"NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
	"failedRequest": 0, "incompleteWarning": 0, "oneOf": 0,
}

// addTitles adds the titles in a file. A function or type of ours with a summary, which is passed
// on, must be listed in summaryIn, or be a rule.
func addTitles(t *testing.T, file string, titles map[string]bool) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	add := func(e ast.Expr) {
		switch title, passedOn := titleOf(e); {
		case title != "":
			titles[title] = true
		case !passedOn:
			t.Errorf("%s: cannot read the title", files.Position(e.Pos()))
		}
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.CallExpr:
			name, _ := n.Fun.(*ast.Ident)
			if selector, ok := n.Fun.(*ast.SelectorExpr); ok {
				name = selector.Sel
			}
			if name != nil {
				if i, ok := summaryIn[name.Name]; ok {
					add(n.Args[i])
				}
			}
		case *ast.CompositeLit:
			if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "rule" {
				add(n.Elts[0])
			}
		case *ast.AssignStmt:
			if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "summary" {
				add(n.Rhs[0])
			}
		case *ast.FuncDecl:
			if _, known := summaryIn[n.Name.Name]; !known && hasSummary(n.Type.Params) {
				t.Errorf("%s: add %s to summaryIn", file, n.Name.Name)
			}
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok && n.Name.Name != "rule" && hasSummary(s.Fields) {
				t.Errorf("%s: titles of %s are not found", file, n.Name.Name)
			}
		}
		return true
	})
}

// titleOf returns the constant beginning of a summary. passedOn reports whether it is a summary that
// was read where it comes from.
func titleOf(e ast.Expr) (title string, passedOn bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return strings.TrimSpace(text), false
	case *ast.BinaryExpr:
		return titleOf(e.X)
	case *ast.CallExpr: // fmt.Sprintf or d.Summary()
		if len(e.Args) == 0 {
			selector, ok := e.Fun.(*ast.SelectorExpr)
			return "", ok && selector.Sel.Name == "Summary"
		}
		title, _ = titleOf(e.Args[0])
		title, _, _ = strings.Cut(title, " (")
		return title, false
	case *ast.Ident:
		return "", e.Name == "summary"
	case *ast.SelectorExpr:
		return "", e.Sel.Name == "summary"
	}
	return "", false
}

func hasSummary(fields *ast.FieldList) bool {
	return slices.ContainsFunc(fields.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == "summary" })
	})
}
