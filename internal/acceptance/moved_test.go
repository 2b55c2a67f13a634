package acceptance

import (
	"fmt"
	"strings"
	"testing"
)

// A notification replaces another resource that a module used to announce, in each of its
// instances. It sends what the old resource would have sent: nothing for the release that was
// already announced, and one notification for another. If that cannot be known, it sends nothing
// and the plan warns. From then on each is a notification like any other.
func TestMovedSendsWhatTheOldResourceWouldHave(t *testing.T) {
	t.Parallel()
	if !hasVersion(t, "1.8") {
		skip(t, "moves between types of resources need Terraform 1.8 or OpenTofu 1.10")
	}
	tests := map[string]struct {
		kind, arguments string // of the old resource, from the fake provider
		release         string // after the move; 1 before
		sends           bool
	}{
		"same":      {"terraform_data", `triggers_replace = { release = var.release }`, "1", false},
		"another":   {"terraform_data", `triggers_replace = { release = var.release }`, "2", true},
		"null":      {"null_resource", `triggers = { release = var.release }`, "2", true},
		"names":     {"null_resource", `triggers = { run = var.release }`, "2", false},
		"terracurl": {"terracurl_request", `path = "/"`, "2", false},
		"restapi":   {"restapi_object", `path = "/"`, "2", false},
		"restful":   {"restful_operation", `path = "/"`, "2", false},
	}
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	use := func(name, release, module string) {
		w.put(t, name+".tf", fmt.Sprintf(`
module %[1]q {
  for_each = toset(["checkout", "search"])
  source   = "./%[1]s"
  name     = "%[1]s ${each.key} %[2]s"
  release  = %[2]q
}
`, name, release))
		w.put(t, name+"/main.tf", "variable \"name\" {}\nvariable \"release\" {}\n"+module)
	}
	for name, test := range tests {
		providers := ""
		if prefix, _, _ := strings.Cut(test.kind, "_"); prefix != "terraform" {
			providers = fmt.Sprintf("terraform {\n  required_providers {\n    %s = {\n"+
				"      source = \"hashicorp/fake\"\n    }\n  }\n}\n", prefix)
		}
		use(name, "1", fmt.Sprintf("%sresource %q \"announcement\" {\n  %s\n}\n", providers, test.kind,
			test.arguments))
	}
	w.must(t, "get")
	w.apply(t)
	announce := func(name, release string) {
		use(name, release, required+fmt.Sprintf(`
moved {
  from = %s.announcement
  to   = notification_notification.announcement
}
resource "notification_notification" "announcement" {
  priority = "HIGH"
  channels = [{ type = "slack", recipient = ["C1"], subject = var.name }]
  triggers = { release = var.release }
}
`, tests[name].kind))
	}
	var moved, released []string
	for name, test := range tests {
		announce(name, test.release)
		if test.sends {
			moved = append(moved, name+" checkout 2", name+" search 2")
		}
		released = append(released, name+" checkout 3", name+" search 3")
	}
	output := w.must(t, "plan", "-out=plan")
	if !strings.Contains(output, "A moved notification is not sent by itself") {
		t.Error(output)
	}
	w.sent(t)
	w.must(t, "apply", "plan")
	w.sent(t, moved...)
	w.settled(t)
	for name := range tests {
		announce(name, "3")
	}
	w.apply(t)
	w.sent(t, released...)
}
