package acceptance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Channels are submitted once, unchanged, in whatever shape modules write them, and whenever they
// become known: a variable is unknown only in validate, the output of fake_later until apply.
// testdata/shapes has a notification for each shape, and an action for most. If the values are to
// become known once more, and turn out the same, nothing is sent before the next release.
func TestChannelsAreSentInEveryShape(t *testing.T) {
	t.Parallel()
	const notifications, actions = 11, 5
	const channel = `{ type = "slack", subject = "hello" }`
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.put(t, "main.tf", "variable \"release\" {}\n")
	var want, released []string
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
		w.put(t, name+".tf", "module \""+name+"\" {\n  source  = \"./"+name+
			"\"\n  release = var.release\n}\n")
		w.put(t, name+"/origin.tf", required+origin)
		w.put(t, name+"/input/versions.tf", required)
		released = append(released, slices.Repeat([]string{"hello"}, notifications)...)
		if hasActions(t) {
			want = append(want, slices.Repeat([]string{"hello"}, actions)...)
		} else if err := os.Remove(filepath.Join(dir, "actions.tf")); err != nil {
			t.Fatal(err)
		}
	}
	w.must(t, "get")
	w.apply(t)
	for _, submission := range w.Ledger().Submissions {
		const sent = `{"type":"slack","subject":"hello"}`
		got := strings.Replace(string(submission.Body), sent+","+sent, sent, 1) // there are two in one
		if got != `{"channels":[`+sent+`],"priority":"HIGH"}` {
			t.Errorf("sent %s", submission.Body)
		}
	}
	w.sent(t, append(want, released...)...)
	again := []string{
		"-replace=module.later.fake_later.channel", "-replace=module.later.fake_later.channels",
		"-replace=module.member_later.fake_later.subject",
	}
	output := w.apply(t, again...)
	w.sent(t)
	if n := strings.Count(output, "Changes to a notification are not sent by themselves"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, output)
	}
	w.setenv("TF_VAR_release", "1.4.3")
	w.apply(t, again...)
	w.sent(t, released...)
	w.settled(t)
	w.sent(t)
}
