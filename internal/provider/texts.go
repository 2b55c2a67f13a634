package provider

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/notification/terraform-provider-notification/internal/settings"
)

// guides is the base URL of one version's documentation, in the registry.
type guides string

// guidesOf returns the guides of version. The version "dev" gets the latest release's guides.
func guidesOf(version string) guides {
	if version == "dev" {
		version = "latest"
	}
	return guides("https://registry.terraform.io/providers/notification/notification/" + version)
}

func (g guides) lostAnswer() string {
	return g.see("See the guide:", "troubleshooting#when-an-answer-is-lost")
}

func (g guides) keys() string { return g.see("See the guide:", "delivery-and-keys") }

// withoutCredentials is for a run on a machine that has none.
func (g guides) withoutCredentials() string {
	return g.see("For a run that sends nothing, such as an import, a destroy or a plan in a merge "+
		"request, see:", "credentials-and-state#without-credentials")
}

// duringDestroy is for errors of a plan that would submit: terraform destroy makes such a plan too.
func (g guides) duringDestroy() string {
	return g.see("If you are destroying, see:", "troubleshooting#during-a-destroy")
}

func (g guides) see(lead, guide string) string {
	page, _, _ := strings.Cut(guide, "#")
	return paragraphs(lead, indented(
		string(g)+"/docs/guides/"+guide,
		"in a clone: docs/guides/"+page+".md", // for a runner without internet
	))
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// indented indents lines, so that Terraform does not wrap them.
func indented(lines ...string) string { return "    " + strings.Join(lines, "\n    ") }

// paragraphs joins the parts that are not empty.
func paragraphs(parts ...string) string {
	empty := func(part string) bool { return part == "" }
	return strings.Join(slices.DeleteFunc(parts, empty), "\n\n")
}

// unique returns a title with the id of a request: of several warnings with the same title
// Terraform shows only the first, and the ids of the others would be lost.
func unique(title, requestID string) string {
	return fmt.Sprintf("%s (request id %s)", title, requestID)
}

// settingsError appends end to d, an error of package settings. If settings are missing, a link for
// runs without credentials comes first.
func settingsError(d diag.Diagnostic, g guides, end string) diag.Diagnostic {
	guide := ""
	if d.Summary() == settings.TitleAllMissing {
		guide = g.withoutCredentials()
	}
	detail := paragraphs(d.Detail(), guide, end)
	if located, ok := d.(diag.DiagnosticWithPath); ok {
		return diag.NewAttributeErrorDiagnostic(located.Path(), d.Summary(), detail)
	}
	return diag.NewErrorDiagnostic(d.Summary(), detail)
}
