package acceptance

import (
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// announced is a notification about a release, with further arguments.
func announced(release, more string) string {
	return notificationWith(`[{ type = "slack", subject = "release" }]`,
		"triggers = { release = \""+release+"\" }\n  "+more)
}

const createBeforeDestroy = "lifecycle {\n    create_before_destroy = true\n  }"

// What errors say about the next apply is true, and so is their advice. What holds with
// create_before_destroy is left to the guide "When an answer is lost".
func TestAdvice(t *testing.T) {
	t.Parallel()
	states := map[string]string{} // by what is in the configuration besides
	for name, test := range map[string]struct {
		more     string
		replace  bool // by -replace instead of triggers
		fault    string
		commands [][]string // after the error
		sends    int        // by the apply after that
		exits    map[int]int
	}{
		"lost, and adopted": {
			fault:    "reset-after",
			commands: [][]string{{"import", "notification_notification.n", "word"}},
		},
		"lost, and adopted, with create_before_destroy": {
			more: createBeforeDestroy, fault: "reset-after",
			commands: [][]string{
				{"import", "notification_notification.n", "word"}, // already managed
				{"state", "rm", "notification_notification.n"},
				{"import", "notification_notification.n", "word"},
			}, exits: map[int]int{0: 1},
		},
		"lost, with create_before_destroy": {more: createBeforeDestroy, fault: "reset-after", sends: 1},
		"rejected":                         {fault: "status:422", sends: 1},
		"rejected under -replace, with create_before_destroy": {
			more: createBeforeDestroy, fault: "status:422", replace: true,
		},
	} {
		if states[test.more] == "" {
			states[test.more] = applied(t, announced("1", test.more))
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, func(c *emulator.Config) {
				c.Faults = emulator.Faults{"submission": test.fault}
			})
			w.put(t, "terraform.tfstate", states[test.more])
			w.write(t, announced("1", test.more))
			var args []string
			if test.replace {
				args = []string{"-replace=" + address}
			} else {
				w.write(t, announced("2", test.more))
			}
			output, status := w.tryApply(t, args...)
			if status != 1 || !strings.Contains(output, "submitted") {
				t.Fatalf("exit status %d\n%s", status, output)
			}
			w.ClearLedger()

			for i, command := range test.commands {
				if output, status := w.terraform(t,
					append(command, "-no-color")...); status != test.exits[i] {
					t.Errorf("%v: exit status %d\n%s", command, status, output)
				}
			}
			w.silent(t, "adopting it")
			w.apply(t)
			if got := w.Ledger().SubmissionRequests; got != test.sends {
				t.Errorf("the next apply made %d submissions, want %d", got, test.sends)
			}
			if output, status := w.plan(t); status != 0 {
				t.Errorf("plan after it: exit status %d\n%s", status, output)
			}
		})
	}
}

// Triggers that are unknown during the plan and turn out unchanged cause a replacement. If the
// service rejects it, it is not planned again, since the old notification is still in the state.
func TestAdvice_keptNotification(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "pass,status:422"}
	})
	w.useFakeProvider(t)
	config := func(tick string) string {
		return `
resource "fake_later" "build" {
  input = { release = "1", tick = "` + tick + `" }
}
` + notificationWith(`[{ type = "slack", subject = "release" }]`,
			"triggers = { release = fake_later.build.output.release }\n  "+createBeforeDestroy)
	}
	w.write(t, config("1"))
	w.apply(t)
	w.write(t, config("2"))
	output, status := w.tryApply(t)
	if status != 1 || !strings.Contains(output, "Not submitted: 422 Unprocessable Entity") {
		t.Fatalf("exit status %d\n%s", status, output)
	}
	w.ClearLedger()
	if output, status := w.plan(t); status != 0 {
		t.Errorf("plan: exit status %d\n%s", status, output)
	}
	w.silent(t, "plan")
	w.apply(t, "-replace="+address)
	w.submittedOnce(t, 1)
}
