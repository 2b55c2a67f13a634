//go:build unix

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"terraform-provider-notification/internal/provider"
)

// Every configuration of the examples, the module and the pages is formatted by `terraform fmt`,
// names the provider's source and its version, and gives each channel a recipient, whose name
// Terraform does not check. Examples that only a CI runner or a container runs are valid YAML.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	err := os.CopyFS(filepath.Join(w.dir, "examples"), os.DirFS(filepath.Join(repository, "examples")))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages(t), "examples/modules/announcement/README.md") {
		for _, block := range codeBlocks(t, page) {
			if block.language == "terraform" || block.language == "hcl" {
				w.put(t, fmt.Sprintf("%s/line-%d.tf", page, block.line), block.text)
			}
		}
	}

	source := regexp.MustCompile(`source\s*=\s*"[^"]*/notification"`)
	withVersion := regexp.MustCompile(
		`source\s*=\s*"` + regexp.QuoteMeta(provider.Source) + `"\n\s*version\s*= "~> \d+\.\d+"\n`)
	// It begins with the brace of an item of a list: other blocks have types, too.
	channel := regexp.MustCompile(`(?m)(?:\[|^\s*)\{\s*type\s+= "\w+",?\s+(\w+)`)
	for name, content := range searchable(t, w.dir) {
		text := string(content)
		path, ofExample := strings.CutPrefix(name, "examples/")
		other := strings.HasPrefix(path, "demo/") || strings.HasPrefix(path, "modules/")
		_, tested := exampleTests[path]
		if extension := filepath.Ext(path); ofExample && !other && !tested && (extension == ".tf" || extension == ".sh") {
			t.Errorf("%s has no test", name)
		}
		all := source.FindAllString(text, -1)
		if got := withVersion.FindAllString(text, -1); len(got) != len(all) {
			t.Errorf("%s: want the provider's source and a version, not %q", name, all)
		}
		for _, match := range channel.FindAllStringSubmatch(text, -1) {
			if match[1] != "recipient" {
				t.Errorf("%s: a channel without recipient: %s", name, match[0])
			}
		}
		if strings.HasSuffix(name, ".hcl") {
			w.put(t, name+".tf", text) // fmt does not know Terragrunt's files
		}
	}
	w.must(t, "fmt", "-check", "-diff", "-recursive")
	w.put(t, "main.tf", `
output "yaml" {
  value = [for path in fileset(".", "**/*.{yml,yaml}") : keys(yamldecode(file(path)))]
}
`)
	w.must(t, "plan")
}
