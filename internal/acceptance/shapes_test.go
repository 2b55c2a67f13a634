package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/provider"
)

// shapes are the ways in which modules write channels. CHANNEL stands for an expression whose
// value is a channel.
var shapes = map[string]string{
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

// shapedResources has a resource for each shape, and some that are more than an expression:
// for_each, count, module inputs of several types, and the JSON syntax. It returns their labels.
func shapedResources(t *testing.T, w *workspace, channel string) (labels []string) {
	t.Helper()
	w.put(t, "shapes.tf.json", strings.ReplaceAll(`{
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
}`, "CHANNEL", strings.ReplaceAll(channel, `"`, `\"`)))
	for name, typ := range map[string]string{
		"any": "any", "list": "list(object({ type = string, subject = string }))", "list_any": "list(any)",
	} {
		w.put(t, name+"/main.tf", fmt.Sprintf(`
terraform {
  required_providers {
    notification = { source = %q }
  }
}
variable "channels" {
  type = %s
}
resource "notification_notification" "%s" {
  priority = "HIGH"
  channels = var.channels
}
`, provider.Address, typ, name))
		labels = append(labels, name)
	}
	labels = append(labels, "json_bare", "json_whole", "json_members", "each", "count")
	var body strings.Builder
	body.WriteString(strings.ReplaceAll(`
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
`, "CHANNEL", channel))
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		labels = append(labels, name)
		fmt.Fprintf(&body, `
resource "notification_notification" %q {
  priority = "HIGH"
  channels = %s
}
`, name, strings.ReplaceAll(shapes[name], "CHANNEL", channel))
	}
	w.put(t, "resources.tf", body.String())
	return labels
}

// origins are where the channel comes from: CHANNEL in the declarations is its value, and use
// is the expression for it. A variable is unknown in validate only.
var origins = map[string]struct{ declare, use string }{
	"literal": {"", "CHANNEL"},
	"local":   {"locals {\n  channel = CHANNEL\n}", "local.channel"},
	"variable": {`variable "channel" {
  type    = object({ type = string, subject = string })
  default = CHANNEL
}`, "var.channel"},
	"variable of any type": {"variable \"channel\" {\n  default = CHANNEL\n}", "var.channel"},
	"later":                {"resource \"helm_later\" \"channel\" {\n  input = CHANNEL\n}", "helm_later.channel.output"},
	"member later": {
		"resource \"helm_later\" \"later\" {\n  input = \"hello\"\n}",
		`{ type = "slack", subject = helm_later.later.output }`,
	},
}

// newShapes is a workspace whose channels all come from one origin, and have the given value.
func newShapes(t *testing.T, origin, channel string) (w *workspace, labels []string) {
	t.Helper()
	w = newWorkspace(t, nil)
	w.useStandIn(t)
	from := origins[origin]
	w.write(t, `
variable "on" {
  default = true
}
variable "env" {
  default = "prod"
}
`+strings.ReplaceAll(from.declare, "CHANNEL", channel)+"\n")
	labels = shapedResources(t, w, strings.ReplaceAll(from.use, "CHANNEL", channel))
	w.must(t, "get")
	return w, labels
}

// Whatever the shape, and whenever the channel becomes known, it is sent once and as it is.
func TestShapes(t *testing.T) {
	t.Parallel()
	for origin := range origins {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			w, labels := newShapes(t, origin, `{ type = "slack", subject = "hello" }`)
			w.must(t, "validate")
			if output, status := w.plan(t); status != 2 {
				t.Fatalf("plan: exit status %d\n%s", status, output)
			}
			w.silent(t, "validate and plan")
			w.apply(t)
			for _, submission := range w.Ledger().Submissions {
				const want = `{"channels":[{"type":"slack","subject":"hello"}],"priority":"HIGH"}`
				if got := string(submission.Body); got != want {
					t.Errorf("sent %s", got)
				}
			}
			if got := w.Ledger().SubmissionRequests; got != len(labels) {
				t.Errorf("%d submissions of %d notifications", got, len(labels))
			}
			w.ClearLedger()
			if output, status := w.plan(t); status != 0 {
				t.Errorf("plan after it: exit status %d\n%s", status, output)
			}
			w.silent(t, "plan after it")
		})
	}
}

// Whatever the shape, and whenever the channel becomes known, a wrong one is refused before
// anything is sent.
func TestShapes_wrong(t *testing.T) {
	t.Parallel()
	for name, channel := range map[string]string{
		"no type":    `{ subject = "hello" }`,
		"null type":  `{ type = null, subject = "hello" }`,
		"blank type": `{ type = " ", subject = "hello" }`,
		"null":       `null`,
	} {
		for _, origin := range []string{"literal", "variable of any type", "later"} {
			t.Run(name+" "+origin, func(t *testing.T) {
				t.Parallel()
				w, labels := newShapes(t, origin, channel)
				output, status := w.terraform(t, "apply", "-input=false", "-no-color", "-auto-approve")
				if status != 1 || strings.Contains(output, "bug in the provider") {
					t.Fatalf("exit status %d\n%s", status, output)
				}
				for _, label := range labels {
					found := strings.Contains(output, `"`+label+`"`) || strings.Contains(output, "."+label)
					if !found && origin != "literal" { // validate reports some, and stops there
						t.Errorf("no error about %s", label)
					}
				}
				w.silent(t, name)
			})
		}
	}
}
