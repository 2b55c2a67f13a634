package acceptance

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Channels are submitted once, unchanged, in whatever shape modules write them, and whenever they
// become known: a variable is unknown only in validate, the output of fake_later until apply.
// testdata/shapes has a notification for each shape, and an action for most.
func TestChannelsAreSentInEveryShape(t *testing.T) {
	t.Parallel()
	const notifications, actions = 7, 5
	const channel = `{ type = "slack", subject = "hello" }`
	w := newWorkspace(t, nil)
	var want []string
	for name, origin := range map[string]string{
		"variable": `
variable "channel" {
  type    = object({ type = string, subject = string })
  default = ` + channel + `
}
variable "channels" {
  type    = list(object({ type = string, subject = string }))
  default = [` + channel + `]
}
locals {
  channel  = var.channel
  channels = var.channels
}`,
		"later": `
resource "fake_later" "channel" {
  input = ` + channel + `
}
resource "fake_later" "channels" {
  input = [` + channel + `]
}
locals {
  channel  = fake_later.channel.output
  channels = fake_later.channels.output
}`,
		"member_later": `
resource "fake_later" "subject" {
  input = "hello"
}
locals {
  channel  = { type = "slack", subject = fake_later.subject.output }
  channels = [local.channel]
}`,
	} {
		dir := filepath.Join(w.dir, name)
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "shapes"))); err != nil {
			t.Fatal(err)
		}
		w.put(t, name+".tf", "module \""+name+"\" {\n  source = \"./"+name+"\"\n}\n")
		w.put(t, name+"/origin.tf", required+origin)
		w.put(t, name+"/input/versions.tf", required)
		want = append(want, slices.Repeat([]string{"hello"}, notifications)...)
		if hasActions(t) {
			want = append(want, slices.Repeat([]string{"hello"}, actions)...)
		} else if err := os.Remove(filepath.Join(dir, "actions.tf")); err != nil {
			t.Fatal(err)
		}
	}
	w.must(t, "get")
	w.apply(t)
	for _, submission := range w.Ledger().Submissions {
		const body = `{"channels":[{"type":"slack","subject":"hello"}],"priority":"HIGH"}`
		if got := string(submission.Body); got != body {
			t.Errorf("sent %s", got)
		}
	}
	w.sent(t, want...)
	w.settled(t)
	w.sent(t)
}
