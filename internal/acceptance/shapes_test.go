package acceptance

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shapes are the labels of the notifications in testdata/shapes, one for each way in which modules
// write channels that differs for the provider. All but the last two have an action too.
var shapes = []string{"whole", "element", "members", "for", "conditional", "input", "json"}

// origins are where the channel of the shapes comes from. VALUE is a placeholder for its value. A
// variable is unknown only in validate; the output of fake_later is known only after apply.
var origins = map[string]string{
	"literal": `
locals {
  channel  = VALUE
  channels = [VALUE]
}`,
	"variable": `
variable "channel" {
  type    = object({ type = string, subject = string })
  default = VALUE
}
variable "channels" {
  type    = list(object({ type = string, subject = string }))
  default = [VALUE]
}
locals {
  channel  = var.channel
  channels = var.channels
}`,
	"any": `
variable "channel" {
  default = VALUE
}
variable "channels" {
  default = [VALUE]
}
locals {
  channel  = var.channel
  channels = var.channels
}`,
	"later": `
resource "fake_later" "channel" {
  input = VALUE
}
resource "fake_later" "channels" {
  input = [VALUE]
}
locals {
  channel  = fake_later.channel.output
  channels = fake_later.channels.output
}`,
	"member_later": `
resource "fake_later" "subject" {
  input = VALUE.subject
}
locals {
  channel  = { type = "slack", subject = fake_later.subject.output }
  channels = [local.channel]
}`,
}

// shaped adds a module with every shape of a channel that has this origin and value, and returns
// how many notifications it submits.
func (w *workspace) shaped(t *testing.T, folder, origin, value string) int {
	t.Helper()
	dir := filepath.Join(w.dir, folder)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "shapes"))); err != nil {
		t.Fatal(err)
	}
	w.put(t, folder+".tf", "module \""+folder+"\" {\n  source = \"./"+folder+"\"\n}\n")
	w.put(t, folder+"/origin.tf", required+strings.ReplaceAll(origins[origin], "VALUE", value))
	w.put(t, folder+"/input/versions.tf", required)
	if hasActions(t) {
		return len(shapes) + len(shapes) - 2
	}
	if err := os.Remove(filepath.Join(dir, "actions.tf")); err != nil {
		t.Fatal(err)
	}
	return len(shapes)
}

// Whatever the shape, and whenever the channel becomes known, it is submitted once, unchanged.
func TestChannelsAreSentInEveryShape(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	want := 0
	for origin := range origins {
		want += w.shaped(t, origin, origin, `{ type = "slack", subject = "hello" }`)
	}
	w.must(t, "get")
	w.apply(t)
	for _, submission := range w.Ledger().Submissions {
		const body = `{"channels":[{"type":"slack","subject":"hello"}],"priority":"HIGH"}`
		if got := string(submission.Body); got != body {
			t.Errorf("sent %s", got)
		}
	}
	w.sent(t, slices.Repeat([]string{"hello"}, want)...)
	w.settled(t)
	w.sent(t)
}

// Whatever the shape, and whenever the channel becomes known, an invalid one is rejected before
// anything is submitted.
func TestInvalidChannelsAreRejectedInEveryShape(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"any", "later"} {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			channels := map[string]string{ // by the folder of the module
				"null_type":  `{ type = null, subject = "hello" }`,
				"blank_type": `{ type = " ", subject = "hello" }`,
				"null":       `null`,
			}
			for folder, channel := range channels {
				w.shaped(t, folder, origin, channel)
			}
			w.must(t, "get")
			output, status := w.terraform(t, "apply")
			w.sent(t)
			if strings.Contains(output, "Terraform crashed!") {
				t.Skip("this Terraform, such as 1.5, crashes if a conditional's sides differ")
			}
			if status != 1 || strings.Contains(output, "bug in the provider") {
				t.Fatalf("exit status %d\n%s", status, output)
			}
			for folder := range channels {
				found := errorsIn(output, folder+"/")
				for _, label := range shapes {
					named := regexp.MustCompile(`["./]` + label + `\b`) // as a block, an address or a file
					if !slices.ContainsFunc(found, named.MatchString) {
						t.Errorf("no error about %s, %s", folder, label)
					}
				}
				if hasActions(t) && len(errorsIn(output, folder+"/actions.tf")) == 0 {
					t.Errorf("no error about %s, actions", folder)
				}
			}
		})
	}
}

// errorsIn returns the errors that point to a file whose path begins with path.
func errorsIn(output, path string) []string {
	return slices.DeleteFunc(strings.Split(output, "Error: "), func(text string) bool {
		return !strings.Contains(text, "on "+path)
	})
}
