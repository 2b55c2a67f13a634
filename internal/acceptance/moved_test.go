package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// oldAnnouncement is the module of a team that announces by a provisioner, left out here, of a
// resource with these arguments, for which the fake provider plays the part of the real ones.
func oldAnnouncement(kind, arguments string) string {
	providers := ""
	if kind != "terraform_data" {
		providers = strings.SplitN(kind, "_", 2)[0] + ` = { source = "hashicorp/fake" }`
	}
	return fmt.Sprintf(`
terraform {
  required_providers {
    %s
  }
}
variable "name" {}
variable "release" {}
resource %q "announcement" {
  %s
}
`, providers, kind, arguments)
}

// newAnnouncement is the next version of that module.
func newAnnouncement(kind, arguments string) string {
	return fmt.Sprintf(`
terraform {
  required_providers {
    notification = { source = "notification/notification" }
  }
}
variable "name" {}
variable "release" {}
moved {
  from = %s.announcement
  to   = notification_notification.announcement
}
resource "notification_notification" "announcement" {
  priority = "HIGH"
  channels = [{ type = "slack", recipient = ["C1"], subject = var.name }]
  %s
}
`, kind, arguments)
}

const (
	releaseTriggers = `triggers = { release = var.release }`
	dataTriggers    = `triggers_replace = { release = var.release }`
	resend          = "\n  resend_on_change = true"
)

// newTeam is a workspace that uses a module for two services.
func newTeam(t *testing.T, module string) *workspace {
	t.Helper()
	if !hasVersion(t, "1.8") {
		skip(t, "moves between types of resources need Terraform 1.8 or OpenTofu 1.10")
	}
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	w.useModule(t, "announcement", module, "1")
	w.must(t, "get")
	return w
}

// useModule calls a module for a release of two services.
func (w *workspace) useModule(t *testing.T, name, module, release string) {
	t.Helper()
	w.put(t, name+".tf", fmt.Sprintf(`
module %q {
  for_each = toset(["checkout", "search"])
  source   = "./%s"
  name     = %q
  release  = %q
}
`, name, name, name, release))
	w.put(t, name+"/main.tf", module)
}

// A move sends what the old resource would have sent: with the same release nothing, with another
// an announcement of each instance. Where nobody can tell, nothing is sent and the plan says so.
func TestMoved(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		kind, old, arguments, release string
		sends                         int // of the two instances
	}{
		"same":      {"terraform_data", dataTriggers, releaseTriggers, "1", 0},
		"another":   {"terraform_data", dataTriggers, releaseTriggers, "2", 2},
		"null":      {"null_resource", releaseTriggers, releaseTriggers, "2", 2},
		"resend":    {"null_resource", releaseTriggers, releaseTriggers + resend, "1", 0},
		"string":    {"terraform_data", "triggers_replace = var.release", releaseTriggers, "2", 0},
		"names":     {"null_resource", "triggers = { run = var.release }", releaseTriggers, "2", 0},
		"none":      {"null_resource", "", releaseTriggers, "2", 0},
		"removed":   {"null_resource", releaseTriggers, "", "2", 0},
		"terracurl": {"terracurl_request", `path = "/"`, releaseTriggers, "2", 0},
		"restapi":   {"restapi_object", `path = "/"`, releaseTriggers, "2", 0},
		"restful":   {"restful_operation", `path = "/"`, releaseTriggers, "2", 0},
	}
	w := newTeam(t, oldAnnouncement("terraform_data", ""))
	for name, test := range tests {
		w.useModule(t, name, oldAnnouncement(test.kind, test.old), "1")
	}
	w.must(t, "get")
	w.apply(t)
	for name, test := range tests {
		w.useModule(t, name, newAnnouncement(test.kind, test.arguments), test.release)
	}
	output := w.must(t, "plan", "-no-color", "-input=false", "-out=plan") // which does what it shows
	if !strings.Contains(output, "A moved notification is not sent by itself") {
		t.Error(output)
	}
	w.silent(t, "the plan of a move")
	w.must(t, "apply", "-input=false", "plan")
	sent := w.subjects()
	for name, test := range tests {
		if sent[name] != test.sends {
			t.Errorf("%s: %d notifications, want %d", name, sent[name], test.sends)
		}
	}
	w.settled(t, "a move")
	w.ClearLedger()
	for name, test := range tests {
		w.useModule(t, name, newAnnouncement(test.kind, test.arguments), "3")
	}
	w.apply(t)
	sent = w.subjects()
	for name, test := range tests {
		if want := map[bool]int{true: 2}[test.arguments != ""]; sent[name] != want {
			t.Errorf("%s, the next release: %d notifications, want %d", name, sent[name], want)
		}
	}
}

// What Terraform does not tell the provider sends: it plans a creation for a tainted source, and
// under -replace.
func TestMoved_replaced(t *testing.T) {
	t.Parallel()
	w := newTeam(t, oldAnnouncement("null_resource", releaseTriggers))
	w.apply(t)
	w.must(t, "taint", `module.announcement["checkout"].null_resource.announcement`)
	w.put(t, "announcement/main.tf", newAnnouncement("null_resource", releaseTriggers))
	w.apply(t, `-replace=module.announcement["search"].notification_notification.announcement`)
	w.holds(t, 2)
}

// A run that is killed after it moved sends nothing, and neither does the next, whether the state
// was saved or, as Terraform sometimes leaves it, is empty and its backup takes its place.
func TestMoved_killed(t *testing.T) {
	t.Parallel()
	w := newTeam(t, oldAnnouncement("terraform_data", dataTriggers))
	w.apply(t)
	w.put(t, "announcement/main.tf", newAnnouncement("terraform_data", releaseTriggers))
	w.put(t, "paused.tf", `
resource "terraform_data" "paused" {
  depends_on = [module.announcement]
  provisioner "local-exec" {
    command = "touch paused; sleep 3"
  }
}
`)
	cmd, stdout, _ := w.command(t, "apply", "-no-color", "-auto-approve")
	leaveNothing(t, cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range time.Tick(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(w.dir, "paused")); err == nil {
			break
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // with an error, since it was killed
	if strings.Contains(stdout.String(), "Apply complete!") {
		t.Error("the run was not killed")
	}
	state := filepath.Join(w.dir, "terraform.tfstate")
	if info, err := os.Stat(state); err != nil || info.Size() == 0 {
		w.copy(t, state+".backup", "terraform.tfstate")
	}
	w.put(t, "paused.tf", "")
	w.must(t, "apply", "-no-color", "-auto-approve", "-lock-timeout=30s")
	w.silent(t, "a move that was killed")
}
