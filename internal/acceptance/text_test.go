//go:build unix

package acceptance

import (
	"fmt"
	"strings"
	"testing"
)

// Text in another encoding than UTF-8, which only a variable can hold, is refused in the plan. A
// key of a map must not end as an error of the protocol.
func TestInvalidText(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("TF_VAR_text", "D\xe9ploiement")
	channels := map[string]string{
		"recipient": "recipient = [var.text]", "subject": "subject = var.text",
		"value": "fields = { k = var.text }", "key": `fields = { (var.text) = "v" }`,
	}
	if hasVersion(t, "1.11") {
		channels["secret"] = "fields_wo = { k = var.text }"
		channels["secret_key"] = `fields_wo = { (var.text) = "v" }`
	}
	body := `variable "text" {}
`
	notification := func(name, member, triggers string) {
		body += fmt.Sprintf(`
resource "notification_notification" %q {
  priority = "HIGH"
  channels = [{ type = "slack", %s }]
  triggers = { %s }
}
`, name, member, triggers)
	}
	for name, member := range channels {
		notification(name, member, "")
	}
	notification("trigger", `subject = "s"`, "k = var.text")
	notification("trigger_key", `subject = "s"`, `(var.text) = "v"`)
	w.write(t, body)
	output, status := w.plan(t)
	refused := strings.Count(output, "Error: Invalid text")
	if status != 1 || refused != len(channels)+2 || strings.Count(output, "Error: ") != refused {
		t.Errorf("exit status %d, refused %d\n%s", status, refused, output)
	}
	w.silent(t, "invalid text")
}
