//go:build unix

package acceptance

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

var (
	anySource = regexp.MustCompile(`source\s*=\s*"[^"]*/notification"`)
	ourSource = regexp.MustCompile(
		`source\s*=\s*"` + regexp.QuoteMeta(provider.Source) + `"\n\s*version\s*= "~> \d+\.\d+"\n`)

	// An item of a list with a type, since other blocks have types, too.
	channel = regexp.MustCompile(
		`(?m)(?:[\[,]|^)\s*\{` + twoLevels + `\btype\s+= "` + twoLevels + `\}`)

	// Other tests run these, or only Terragrunt and CI runners do.
	otherExamples = regexp.MustCompile(`^examples/(demo|modules)/|\.(md|hcl|ya?ml)$`)
)

// twoLevels matches text with at most two levels of braces, such as those of a template in fields.
const twoLevels = `(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*`

// Each configuration of the examples and pages is formatted by `terraform fmt`, names the
// provider's source and version, and gives each channel a recipient, whose name Terraform does not
// check. Each example is named in a test, or is valid YAML.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.copyExamples(t, "", "examples")
	for _, page := range append(pages(t), moduleREADME) {
		for _, block := range codeBlocks(t, page) {
			if block.language == "terraform" || block.language == "hcl" {
				w.put(t, fmt.Sprintf("pages/%s/line-%d.tf", page, block.line), block.text)
			}
		}
	}
	tests := fileText(t, "docs_examples_test.go") + fileText(t, "docs_secrets_test.go") +
		fileText(t, "killed_test.go")
	for name, text := range searchable(t, w.dir) {
		if len(anySource.FindAllString(text, -1)) != len(ourSource.FindAllString(text, -1)) {
			t.Errorf("%s: a source of the provider is wrong, or has no version", name)
		}
		for _, found := range channel.FindAllString(text, -1) {
			if !strings.Contains(found, "recipient") {
				t.Errorf("%s: a channel without recipient: %s", name, found)
			}
		}
		if path, ok := strings.CutPrefix(name, "examples/"); ok && !otherExamples.MatchString(name) &&
			!strings.Contains(tests, strconv.Quote(path)) {
			t.Errorf("%s has no test", name)
		}
		if strings.HasSuffix(name, ".hcl") {
			w.put(t, name+".tf", text) // fmt does not know the names of Terragrunt's files
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
