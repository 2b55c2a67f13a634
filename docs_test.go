package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"terraform-provider-notification/internal/provider"
)

// inRepository is where the files of the repository are, for pages that are read elsewhere.
var inRepository = "https://github.com/" +
	tfaddr.MustParseProviderSource(provider.Source).Namespace +
	"/terraform-provider-notification/blob/main/"

var (
	links    = regexp.MustCompile(`(?m)\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	anchorID = regexp.MustCompile(`<a id="([^"]+)">`)
	slugDrop = regexp.MustCompile("[^a-z0-9 _-]")
)

// Every link of every page leads somewhere. Between the pages of docs/ it is relative and ends in
// .md, so that it works in a clone, for each version in the registry, and in a fork.
func TestLinks(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, page := range pages(t, "*.md", "docs/*.md", "docs/*/*.md", "tools/mirror/*.md",
		"internal/emulator/*.md") {
		inDocs := strings.HasPrefix(page, "docs/")
		for _, match := range links.FindAllStringSubmatch(withoutBlocks(t, page), -1) {
			target, anchor, _ := strings.Cut(match[1]+match[2], "#")
			checked++
			to := path.Join(path.Dir(page), target)
			ofRepository, absolute := strings.CutPrefix(target, inRepository)
			switch {
			case target == "":
				to = page
			case absolute:
				to = ofRepository
			case strings.HasPrefix(target, "https://"):
				if strings.Contains(target, provider.Source+"/latest/docs") {
					t.Errorf("%s: %s is a page of docs/, and should be relative", page, target)
				}
				continue
			case inDocs && (!strings.HasPrefix(to, "docs/") || path.Ext(to) != ".md"):
				t.Errorf("%s: %s does not work in a registry", page, target)
				continue
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s%s leads nowhere", page, match[1], match[2])
			} else if anchor != "" && !slices.Contains(anchors(t, to), anchor) {
				t.Errorf("%s: there is no heading #%s in %s", page, anchor, to)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d links found", checked)
	}
}

// pages are the files that match any of the patterns, with slashes; at least one matches each.
func pages(t *testing.T, patterns ...string) (found []string) {
	t.Helper()
	for _, pattern := range patterns {
		matches, err := filepath.Glob(pattern)
		if err != nil || len(matches) == 0 {
			t.Fatalf("no file matches %s, %v", pattern, err)
		}
		for _, match := range matches {
			found = append(found, filepath.ToSlash(match))
		}
	}
	return found
}

// withoutBlocks is a page without its fenced blocks.
func withoutBlocks(t *testing.T, page string) string {
	t.Helper()
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(string(fileText(t, page)), "")
}

// anchors are those of a page, and those that its headings get.
func anchors(t *testing.T, page string) (found []string) {
	t.Helper()
	text := withoutBlocks(t, page)
	for _, match := range anchorID.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		text := slugDrop.ReplaceAllString(strings.ToLower(match[1]), "")
		found = append(found, strings.ReplaceAll(text, " ", "-"))
	}
	return found
}

// Lines of prose are short. Tables and links cannot be wrapped; docs/ is generated from templates/.
func TestProseWraps(t *testing.T) {
	t.Parallel()
	unwrapped := regexp.MustCompile(`^(\||\[[^\]]+\]: |<!-- test)`)
	frontMatter := regexp.MustCompile(`(?s)\A---\n.*?\n---\n`)
	// `make address` may make these longer.
	namespace := tfaddr.MustParseProviderSource(provider.Source).Namespace
	movable := regexp.MustCompile(`\S*/` + namespace + `/\S*`)
	lines := 0
	for _, page := range pages(t, "*.md", "templates/*.*", "templates/*/*",
		"internal/emulator/*.md", "tools/*/*.md") {
		prose := frontMatter.ReplaceAllString(withoutBlocks(t, page), "")
		for line := range strings.SplitSeq(prose, "\n") {
			lines++
			if n := len([]rune(movable.ReplaceAllString(line, ""))); n > 100 && !unwrapped.MatchString(line) {
				t.Errorf("%s: %d characters: %s", page, n, line)
			}
		}
	}
	if lines < 500 {
		t.Errorf("only %d lines found", lines)
	}
}

// The README's tables are those that terraform-docs would write.
func TestModuleReadme(t *testing.T) {
	t.Parallel()
	module := filepath.Join("examples", "modules", "announcement")
	readme := withoutBlocks(t, filepath.Join(module, "README.md"))
	escaped := strings.NewReplacer("_", `\_`)
	want := 0
	for _, kind := range []struct{ keyword, file, anchor string }{
		{"variable", "variables.tf", "input"}, {"output", "outputs.tf", "output"},
	} {
		text := withoutBlocks(t, filepath.Join(module, kind.file))
		blocks := regexp.MustCompile(`(?ms)^`+kind.keyword+` "(\w+)" \{\n(.*?)^\}$`).
			FindAllStringSubmatch(text, -1)
		var rows []string
		for _, block := range blocks {
			name, body := block[1], block[2]
			row := fmt.Sprintf(`| <a name="%[1]s_%[2]s"></a> [%[3]s](#%[1]s\_%[3]s) | %[4]s |`,
				kind.anchor, name, escaped.Replace(name),
				strings.ReplaceAll(strings.Trim(argument(body, "description"), `"`), `\"`, `"`))
			if kind.keyword == "variable" {
				standard, required := "n/a", "yes"
				if given := argument(body, "default"); given != "" {
					standard, required = "`"+given+"`", "no"
				}
				row += fmt.Sprintf(" `%s` | %s | %s |", argument(body, "type"), standard, required)
			}
			rows = append(rows, row)
		}
		want += len(rows)
		slices.Sort(rows)
		if !strings.Contains(readme, "|\n"+strings.Join(rows, "\n")+"\n") {
			t.Errorf("the README does not have the rows\n%s", strings.Join(rows, "\n"))
		}
	}
	got := strings.Count(readme, `| <a name="input_`) + strings.Count(readme, `| <a name="output_`)
	if got != want || want < 8 {
		t.Errorf("the README has %d inputs and outputs, want %d", got, want)
	}
}

// argument is what stands after an argument's name in a block.
func argument(body, name string) string {
	match := regexp.MustCompile(`(?m)^  ` + name + ` *= (.*)$`).FindStringSubmatch(body)
	if match == nil {
		return ""
	}
	return match[1]
}
