//go:build unix

package acceptance

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/provider"
)

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
	docs := filepath.Join(repository, "docs")
	checked := 0
	for _, page := range pages(t) {
		inDocs := strings.HasPrefix(page, docs)
		for _, match := range links.FindAllStringSubmatch(withoutBlocks(t, page), -1) {
			target, anchor, _ := strings.Cut(match[1]+match[2], "#")
			checked++
			path := filepath.Join(filepath.Dir(page), target)
			switch {
			case target == "":
				path = page
			case strings.HasPrefix(target, "https://"):
				if strings.Contains(target, "/"+provider.Source+"/latest/docs") {
					t.Errorf("%s: %s is a page of docs/, and should be relative", page, target)
				}
				continue
			case inDocs && (!strings.HasPrefix(path, docs) || filepath.Ext(path) != ".md"):
				t.Errorf("%s: %s does not work in a registry", page, target)
				continue
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %s%s leads nowhere", page, match[1], match[2])
			} else if anchor != "" && !slices.Contains(anchors(t, path), anchor) {
				t.Errorf("%s: there is no heading #%s in %s", page, anchor, path)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d links found", checked)
	}
}

// withoutBlocks is a page without its fenced blocks.
func withoutBlocks(t *testing.T, page string) string {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(string(content), "")
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
	movable := regexp.MustCompile(`\S*/` + providerAddress().Namespace + `/\S*`)
	lines := 0
	for _, pattern := range []string{"*.md", "templates/*", "templates/*/*"} {
		for _, page := range glob(t, pattern) {
			prose := frontMatter.ReplaceAllString(withoutBlocks(t, page), "")
			for _, line := range strings.Split(prose, "\n") {
				lines++
				if n := len([]rune(movable.ReplaceAllString(line, ""))); n > 100 && !unwrapped.MatchString(line) {
					t.Errorf("%s: %d characters: %s", page, n, line)
				}
			}
		}
	}
	if lines < 500 {
		t.Errorf("only %d lines found", lines)
	}
}

// pageWords are the most words that a page may have, code included. A page that needs more is two
// pages, or says what another one says.
var pageWords = map[string]int{
	"index.md":                            1300,
	"resources/notification.md":           1300,
	"actions/send.md":                     860,
	"data-sources/studies.md":             520,
	"ephemeral-resources/access_token.md": 330,
	"guides/announcing-deployments.md":    800,
	"guides/cancelled-and-retried.md":     600,
	"guides/credentials-and-state.md":     800,
	"guides/delivery-and-keys.md":         900,
	"guides/emulator.md":                  900,
	"guides/environments.md":              560,
	"guides/github-actions.md":            700,
	"guides/gitlab-ci.md":                 650,
	"guides/installing.md":                700,
	"guides/large-announcements.md":       280,
	"guides/lost-answer.md":               700,
	"guides/moving-here.md":               700,
	"guides/other-runners.md":             700,
	"guides/outcomes.md":                  700,
	"guides/service-contract.md":          900,
	"guides/testing-modules.md":           1000,
}

// The docs stay short enough to be read: each page, and all of them.
func TestWordsOfPages(t *testing.T) {
	t.Parallel()
	total := 0
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md"} {
		for _, page := range glob(t, pattern) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel(filepath.Join(repository, "docs"), page)
			if err != nil {
				t.Fatal(err)
			}
			words := len(strings.Fields(string(text)))
			total += words
			if most := pageWords[filepath.ToSlash(name)]; words > most {
				t.Errorf("%s has %d words, and may have %d", name, words, most)
			}
		}
	}
	if total > 16_000 || total < 10_000 {
		t.Errorf("docs/ has %d words, and may have 16,000", total)
	}
}
