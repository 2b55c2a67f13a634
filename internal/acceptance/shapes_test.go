package acceptance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shapes are the ways in which modules write channels that differ for the provider. CHANNEL is a
// placeholder for an expression whose value is a channel, and CHANNELS for one whose value is a list
// of only that channel. Further ones are the input of a module and JSON syntax.
var shapes = map[string]string{
	"whole":       `CHANNELS`,
	"element":     `[CHANNEL]`,
	"members":     `[{ type = CHANNEL.type, subject = CHANNEL.subject }]`,
	"for":         `[for c in [CHANNEL] : c]`,
	"conditional": `var.on ? [CHANNEL] : [{ type = "none", subject = "none" }]`,
}

// shaped writes a module whose channels all come from one origin and have the given value: a
// resource for each shape and, if Terraform has actions, an action. It returns the labels of the
// resources, and how many notifications the module submits.
func (w *workspace) shaped(
	t *testing.T, folder, origin, value string,
) (labels []string, sends int) {
	t.Helper()
	from := origins[origin].of(value)
	w.put(t, folder+".tf", fmt.Sprintf("module %q {\n  source = \"./%[1]s\"\n}\n", folder))
	w.put(t, folder+"/json.tf.json", strings.ReplaceAll(`{
  "resource": {"notification_notification": {
    "json": {"priority": "HIGH", "channels": ["${CHANNEL}"]}
  }}
}`, "CHANNEL", strings.ReplaceAll(from.channel, `"`, `\"`)))
	w.put(t, folder+"/input/main.tf", required+`
variable "channels" {
  type = list(object({ type = string, subject = string }))
}
resource "notification_notification" "input" {
  priority = "HIGH"
  channels = var.channels
}
`)
	labels = []string{"json", "input"}
	var resources, actions, invoked strings.Builder
	for name, shape := range shapes {
		labels = append(labels, name)
		fmt.Fprintf(&invoked, "action.notification_send.%s, ", name)
		arguments := "priority = \"HIGH\"\n  channels = " + from.expand(shape)
		fmt.Fprintf(&resources, "resource \"notification_notification\" %q {\n  %s\n}\n", name, arguments)
		fmt.Fprintf(&actions, "action \"notification_send\" %q {\n  config {\n  %s\n  }\n}\n", name,
			arguments)
	}
	w.put(t, folder+"/main.tf", required+from.declare+resources.String()+from.expand(`
variable "on" {
  default = true
}
module "input" {
  source   = "./input"
  channels = [CHANNEL]
}
`))
	if !hasActions(t) {
		return labels, len(labels)
	}
	w.put(t, folder+"/actions.tf", actions.String()+fmt.Sprintf(`
resource "terraform_data" "deployment" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [%s]
    }
  }
}
`, invoked.String()))
	return labels, len(labels) + len(shapes)
}

// origin is where a channel comes from. CHANNEL in declare is a placeholder for its value; channel
// and channels are the expressions for it and for a list of it.
type origin struct{ declare, channel, channels string }

// A variable is unknown only in validate; the output of fake_later is known only after apply.
var origins = map[string]origin{
	"literal": {"", "CHANNEL", "[CHANNEL]"},
	"variable": {`variable "channel" {
  type    = object({ type = string, subject = string })
  default = CHANNEL
}
variable "channels" {
  type    = list(object({ type = string, subject = string }))
  default = [CHANNEL]
}
`, "var.channel", "var.channels"},
	"any": {`variable "channel" {
  default = CHANNEL
}
variable "channels" {
  default = [CHANNEL]
}
`, "var.channel", "var.channels"},
	"later": {`resource "fake_later" "channel" {
  input = CHANNEL
}
resource "fake_later" "channels" {
  input = [CHANNEL]
}
`, "fake_later.channel.output", "fake_later.channels.output"},
	"member_later": {
		"resource \"fake_later\" \"subject\" {\n  input = \"hello\"\n}\n",
		`{ type = "slack", subject = fake_later.subject.output }`,
		`[{ type = "slack", subject = fake_later.subject.output }]`,
	},
}

// of returns the origin with the given value.
func (o origin) of(value string) origin {
	replaced := func(text string) string { return strings.ReplaceAll(text, "CHANNEL", value) }
	return origin{replaced(o.declare), replaced(o.channel), replaced(o.channels)}
}

// expand returns a shape with the expressions of the origin.
func (o origin) expand(shape string) string {
	return strings.NewReplacer("CHANNELS", o.channels, "CHANNEL", o.channel).Replace(shape)
}

// Whatever the shape, and whenever the channel becomes known, it is submitted once, unchanged.
func TestChannelsAreSentInEveryShape(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	want := 0
	for origin := range origins {
		_, sends := w.shaped(t, origin, origin, `{ type = "slack", subject = "hello" }`)
		want += sends
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
			w.useFakeProvider(t)
			labels := map[string][]string{} // by the folder of the module
			for name, channel := range map[string]string{
				"null_type":  `{ type = null, subject = "hello" }`,
				"blank_type": `{ type = " ", subject = "hello" }`,
				"null":       `null`,
			} {
				labels[name], _ = w.shaped(t, name, origin, channel)
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
			for folder, labels := range labels {
				found := errorsIn(output, folder+"/")
				for _, label := range labels {
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
