package docs

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

// repository is the root of the checkout.
var repository = os.DirFS("../..")

// No link in the documentation is broken. Links between the pages of docs/ are relative and end in
// .md, so that they work in a clone, in each version in the registry, and in a fork. The pages of
// docs/ link to other files of the repository by their URL on GitHub, in the version of the docs.
func TestLinks(t *testing.T) {
	t.Parallel()
	home := "https://github.com/" + tfaddr.MustParseProviderSource(provider.Source).Namespace +
		"/terraform-provider-notification/"
	onGitHub := regexp.MustCompile("^" + home + "(?:blob|tree)/v[0-9][^/]*/")
	links := regexp.MustCompile(`(?m)\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$`)
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "internal/*/*.md",
		"examples/*/*.md"} {
		pages, err := fs.Glob(repository, pattern)
		if err != nil || len(pages) == 0 {
			t.Fatalf("no file matches %s, %v", pattern, err)
		}
		for _, page := range pages {
			for _, match := range links.FindAllStringSubmatch(prose(t, page), -1) {
				target, anchor, _ := strings.Cut(match[1]+match[2], "#")
				file := path.Join(path.Dir(page), target)
				tagged := onGitHub.FindString(target)
				switch {
				case target == "":
					file = page
				case tagged != "":
					file = strings.TrimPrefix(target, tagged)
				case strings.HasPrefix(target, home+"blob/"),
					strings.HasPrefix(target, home+"tree/"):
					t.Errorf("%s: %s names no version", page, target)
				case strings.HasPrefix(target, "https://"):
					continue
				case strings.HasPrefix(page, "docs/") &&
					(!strings.HasPrefix(file, "docs/") || path.Ext(file) != ".md"):
					t.Errorf("%s: the link %s does not work in a registry", page, target)
					continue
				}
				if _, err := fs.Stat(repository, file); err != nil {
					t.Errorf("%s: the link %s is broken", page, match[1]+match[2])
				} else if anchor != "" && !slices.Contains(anchors(prose(t, file)), anchor) {
					t.Errorf("%s: there is no heading #%s in %s", page, anchor, file)
				}
			}
		}
	}
}

// prose returns the text of a page without its fenced code blocks.
func prose(t *testing.T, page string) string {
	t.Helper()
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(read(t, page), "")
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := fs.ReadFile(repository, file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// anchors returns the anchors in a page: those that GitHub and the registries generate for its
// headings, and those that it defines.
func anchors(text string) (found []string) {
	for _, match := range regexp.MustCompile(`<a id="([^"]+)">`).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	dropped := regexp.MustCompile("[^a-z0-9 _-]")
	for _, match := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		slug := dropped.ReplaceAllString(strings.ToLower(match[1]), "")
		found = append(found, strings.ReplaceAll(slug, " ", "-"))
	}
	return found
}
