package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// shapes are the ways in which modules write channels. CHANNEL stands for an expression whose value
// is a channel, and CHANNELS for one whose value is a list of only that channel.
var shapes = map[string]string{
	"whole":       `CHANNELS`,
	"whole_for":   `[for c in CHANNELS : merge(c, {})]`,
	"whole_index": `[CHANNELS[0]]`,
	"bare":        `[CHANNEL]`,
	"for":         `[for c in [CHANNEL] : c]`,
	"for_object":  `[for c in [CHANNEL] : { type = c.type, subject = c.subject }]`,
	"for_if":      `[for c in [CHANNEL] : c if true]`,
	"members":     `[{ type = CHANNEL.type, subject = CHANNEL.subject }]`,
	"one_member":  `[{ type = CHANNEL.type, subject = "hello" }]`,
	"merge":       `[merge(CHANNEL, { subject = "hello" })]`,
	"merge_into":  `[merge({}, CHANNEL)]`,
	"conditional": `var.on ? [CHANNEL] : [{ type = "none", subject = "none" }]`,
	"either":      `[var.on ? CHANNEL : { type = "none", subject = "none" }]`,
	"tolist":      `tolist([CHANNEL])`,
	"concat":      `concat([CHANNEL], [])`,
	"flatten":     `flatten([[CHANNEL]])`,
	"index":       `[{ prod = CHANNEL }[var.env]]`,
	"lookup":      `[lookup({ prod = CHANNEL }, var.env, null)]`,
	"values":      `values({ a = CHANNEL })`,
	"splat":       `[CHANNEL][*]`,
	"try":         `[try(CHANNEL, null)]`,
	"coalesce":    `coalescelist([], [CHANNEL])`,
	"slice":       `slice([CHANNEL, CHANNEL], 0, 1)`,
	"json":        `[jsondecode(jsonencode(CHANNEL))]`,
}

// shapedResources writes a module with a resource for each shape, and with resources with for_each,
// with count, in modules with inputs of several types, and in JSON syntax. All channels come from
// one origin and have the given value. It returns the labels of the resources.
func (w *workspace) shapedResources(t *testing.T, folder, origin, value string) (labels []string) {
	t.Helper()
	from := w.shapedModule(t, folder, origin, value)
	inJSON := strings.ReplaceAll(from.channel, `"`, `\"`)
	w.put(t, folder+"/shapes.tf.json", strings.ReplaceAll(`{
  "resource": {
    "notification_notification": {
      "json_bare": {"priority": "HIGH", "channels": ["${CHANNEL}"]},
      "json_whole": {"priority": "HIGH", "channels": "${[CHANNEL]}"},
      "json_members": {
        "priority": "HIGH",
        "channels": [{"type": "${CHANNEL.type}", "subject": "${CHANNEL.subject}"}]
      }
    }
  }
}`, "CHANNEL", inJSON))
	for name, typ := range map[string]string{
		"any": "any", "list_any": "list(any)",
		"list": "list(object({ type = string, subject = string }))",
	} {
		w.put(t, folder+"/"+name+"/main.tf", required+fmt.Sprintf(`
variable "channels" {
  type = %s
}
resource "notification_notification" "%s" {
  priority = "HIGH"
  channels = var.channels
}
`, typ, name))
		labels = append(labels, name)
	}
	labels = append(labels, "json_bare", "json_whole", "json_members", "each", "count")
	var body strings.Builder
	body.WriteString(from.expand(`
resource "notification_notification" "each" {
  for_each = { a = CHANNEL }
  priority = "HIGH"
  channels = [each.value]
}
resource "notification_notification" "count" {
  count    = 1
  priority = "HIGH"
  channels = [[CHANNEL][count.index]]
}
module "any" {
  source   = "./any"
  channels = [CHANNEL]
}
module "list" {
  source   = "./list"
  channels = [CHANNEL]
}
module "list_any" {
  source   = "./list_any"
  channels = [CHANNEL]
}
`))
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		labels = append(labels, name)
		fmt.Fprintf(&body, `
resource "notification_notification" %q {
  priority = "HIGH"
  channels = %s
}
`, name, from.expand(shapes[name]))
	}
	w.put(t, folder+"/resources.tf", body.String())
	return labels
}

// origin is where a channel comes from. CHANNEL in declare stands for its value; channel is the
// expression for it, channels the one for a list of it.
type origin struct{ declare, channel, channels string }

// origins lists them. A variable is unknown only in validate; the output of fake_later is known
// only after apply.
var origins = map[string]origin{
	"literal": {"", "CHANNEL", "[CHANNEL]"},
	"variable": {`variable "channel" {
  type    = object({ type = string, subject = string })
  default = CHANNEL
}
variable "channels" {
  type    = list(object({ type = string, subject = string }))
  default = [CHANNEL]
}`, "var.channel", "var.channels"},
	"any": {`variable "channel" {
  default = CHANNEL
}
variable "channels" {
  default = [CHANNEL]
}`, "var.channel", "var.channels"},
	"later": {`resource "fake_later" "channel" {
  input = CHANNEL
}
resource "fake_later" "channels" {
  input = [CHANNEL]
}`, "fake_later.channel.output", "fake_later.channels.output"},
	"member_later": {
		"resource \"fake_later\" \"subject\" {\n  input = \"hello\"\n}",
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

const shapeVariables = `
variable "on" {
  default = true
}
variable "env" {
  default = "prod"
}
`

// shapedModule begins a module whose channels all come from one origin and have the given value.
func (w *workspace) shapedModule(t *testing.T, folder, name, value string) origin {
	t.Helper()
	from := origins[name].of(value)
	w.put(t, folder+".tf", fmt.Sprintf("module %q {\n  source = \"./%[1]s\"\n}\n", folder))
	w.put(t, folder+"/main.tf", required+shapeVariables+from.declare+"\n")
	return from
}

// Whatever the shape, and whenever the channel becomes known, it is submitted once, unchanged.
func TestShapes(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	want := 0
	for origin := range origins {
		want += len(w.shapedResources(t, origin, origin, `{ type = "slack", subject = "hello" }`))
	}
	w.sendsOnce(t, want)
}

// sendsOnce fails the test unless applying the configuration submits the given number of equal
// notifications, and the plan after that is empty.
func (w *workspace) sendsOnce(t *testing.T, want int) {
	t.Helper()
	w.must(t, "get")
	w.apply(t)
	for _, submission := range w.Ledger().Submissions {
		const body = `{"channels":[{"type":"slack","subject":"hello"}],"priority":"HIGH"}`
		if got := string(submission.Body); got != body {
			t.Errorf("sent %s", got)
		}
	}
	if got := w.Ledger().SubmissionRequests; got != want {
		t.Errorf("%d submissions of %d notifications", got, want)
	}
	w.ClearLedger()
	w.settled(t, "it")
	w.silent(t, "plan after it")
}
