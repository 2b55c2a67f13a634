package acceptance

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const address = "notification_notification.n"

var (
	walkSeed  = flag.Uint64("walk.seed", 0, "seed of TestWalk; 0: those of CI")
	walkSteps = flag.Int("walk.steps", 14, "steps of each walk of TestWalk")
)

// TestWalk makes random edits, runs random commands, and compares the result of each with the
// model. On one version of Terraform, a seed always gives the same walk.
func TestWalk(t *testing.T) {
	t.Parallel()
	seeds := []uint64{605, 616, 621, 650} // together they cover nearly all outcomes
	if *walkSeed != 0 {
		seeds = []uint64{*walkSeed}
	}
	for _, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			w := newWalk(t, seed)
			for range *walkSteps {
				w.step(t)
			}
			t.Log(w.history())
		})
	}
}

// walk is a sequence of edits and commands for one notification.
type walk struct {
	*workspace

	seed   uint64
	random *rand.Rand
	config configuration
	object *object  // what the state must hold; nil: nothing
	log    []string // one line for each step
	output string   // of the last command

	imports            int
	importBlocks       bool     // whether this Terraform has them
	secrets, ignorable []string // for fields_wo and ignore_changes, if supported
}

func newWalk(t *testing.T, seed uint64) *walk {
	t.Helper()
	w := &walk{
		workspace: newWorkspace(t, nil),
		seed:      seed,
		random:    rand.New(rand.NewPCG(seed, 0)),
		secrets:   []string{""},
		ignorable: []string{"", "", "", "all"},
	}
	w.config.settings = settings{"channels": values()["channels"][0], "priority": `"HIGH"`}
	w.importBlocks = hasVersion(t, "1.5")
	if hasVersion(t, "1.1") { // ignore_changes of Terraform 1.0 turns null maps into empty ones
		w.ignorable = append(w.ignorable,
			"[channels]", "[priority]", "[channels, priority]", "[triggers]")
	}
	if hasVersion(t, "1.11") {
		w.secrets = append(w.secrets, "1234", "5678")
	}
	for command, flags := range map[string]string{
		"plan": "-detailed-exitcode", "apply": "-auto-approve", "destroy": "-auto-approve", "import": "",
	} {
		w.setenv("TF_CLI_ARGS_"+command, "-no-color -input=false "+flags)
	}
	return w
}

// values are the values that an edit chooses from; empty: null.
func values() map[string][]string {
	return map[string][]string{
		"channels": {
			`[{"type":"slack","recipient":["C1"],"fields":{"service":"checkout"}}]`,
			`[{"type":"slack","recipient":["C1"],"fields":{"service":"search"}}]`,
			`[{"type":"slack","recipient":["C1"],"subject":"live"},` +
				`{"type":"email","recipient":["a"],"content_type":"md","fields":{"a":"b"}}]`,
		},
		"priority":         {`"HIGH"`, `"NORMAL"`, `"BATCH"`},
		"triggers":         {"", "{}", `{"release":"1"}`, `{"release":"1","region":"eu"}`},
		"resend_on_change": {"", "false", "true", "true"},
		"delivery":         {"", `"at_least_once"`, `"at_most_once"`, `"at_most_once"`},
		"timeouts":         {"", `{"create":"1m"}`},
	}
}

// step edits the configuration, and runs one or two commands.
func (w *walk) step(t *testing.T) {
	t.Helper()
	w.log = append(w.log, "")
	for range 1 + w.random.IntN(3) {
		before, what := w.config.hcl(), ""
		for w.config.hcl() == before {
			what = w.edit()
		}
		w.note(what)
	}
	w.write(t, w.config.hcl())
	commands := []func(){
		func() { w.plan(t) },
		func() { w.apply(t, true) },
		func() { w.runSilently(t, w.object, "apply", "-refresh-only") },
		func() { w.runSilently(t, nil, "destroy") },
		func() {
			after := w.toImport(t)
			w.runSilently(t, after, "import", address, after.id)
		},
	}
	if w.importBlocks {
		commands = append(commands, func() {
			w.object = w.toImport(t)
			w.note("import block for " + w.object.id)
			block := fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", address, w.object.id)
			w.write(t, block+w.config.hcl())
			w.apply(t, false)
		})
	}
	if w.object != nil {
		after := *w.object
		after.tainted = !after.tainted
		command := map[bool]string{true: "taint", false: "untaint"}[after.tainted]
		commands = append(commands,
			func() { w.runSilently(t, &after, command, address) },
			func() { w.runSilently(t, nil, "state", "rm", address) })
	}
	if w.random.IntN(5) < 2 {
		pick(w.random, commands)()
	} else {
		w.apply(t, false)
	}
}

// toImport removes the notification from the state, and returns what an import must add.
func (w *walk) toImport(t *testing.T) *object {
	t.Helper()
	if w.object != nil {
		w.runSilently(t, nil, "state", "rm", address)
	}
	w.imports++
	return &object{settings: settings{}, id: fmt.Sprint("imported-", w.imports), imported: true}
}

// edit changes one thing in the configuration, perhaps to its present value, and says which.
func (w *walk) edit() string {
	what := pick(w.random, []string{
		"channels", "channels", "priority", "priority", "triggers", "triggers", "triggers", "undo",
		"undo", "undo", "resend_on_change", "delivery", "timeouts", "ignore_changes",
		"create_before_destroy",
		"fields_wo",
	})
	var value string
	switch what {
	case "undo":
		if w.object != nil && w.object.submitted != nil {
			w.config.settings["channels"] = w.object.submitted["channels"]
			w.config.settings["priority"] = w.object.submitted["priority"]
		}
	case "ignore_changes":
		value = pick(w.random, w.ignorable)
		w.config.ignore = value
	case "create_before_destroy":
		w.config.createBeforeDestroy = !w.config.createBeforeDestroy
		value = strconv.FormatBool(w.config.createBeforeDestroy)
	case "fields_wo":
		value = pick(w.random, w.secrets)
		w.config.secret = value
	default:
		value = pick(w.random, values()[what])
		if w.config.settings[what] = value; value == "" {
			delete(w.config.settings, what)
		}
	}
	return what + " " + value
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// hcl returns the resource block with these settings.
func (c configuration) hcl() string {
	var b strings.Builder
	b.WriteString("resource \"notification_notification\" \"n\" {\n")
	for _, name := range slices.Sorted(maps.Keys(c.settings)) {
		value := c.settings[name]
		if name == "channels" && c.secret != "" {
			value = fmt.Sprintf(`%s,"fields_wo":{"pin":%q}}]`, strings.TrimSuffix(value, "}]"),
				c.secret)
		}
		fmt.Fprintf(&b, "  %s = %s\n", name, value)
	}
	fmt.Fprintf(&b, "  lifecycle {\n    create_before_destroy = %t\n", c.createBeforeDestroy)
	if c.ignore != "" {
		fmt.Fprintf(&b, "    ignore_changes = %s\n", c.ignore)
	}
	return b.String() + "  }\n}\n"
}
