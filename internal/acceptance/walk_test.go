package acceptance

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const address = "notification_notification.n"

var (
	walkSeed  = flag.Uint64("walk.seed", 337, "seed of TestWalk")
	walkSteps = flag.Int("walk.steps", 14, "steps of TestWalk")
)

// TestWalk makes random edits, runs random commands, and compares the results with the
// documentation. On one version of Terraform, a seed always gives the same walk. That of the
// default seed has all commands and outcomes, and applies every row of documented; a weekly
// workflow takes new seeds.
func TestWalk(t *testing.T) {
	t.Parallel()
	t.Log("-walk.seed =", *walkSeed)
	w := &walk{
		workspace: newWorkspace(t, nil),
		random:    rand.New(rand.NewPCG(*walkSeed, 0)),
		config:    map[string]string{},
	}
	for name, values := range walkValues {
		w.config[name] = values[0]
	}
	w.keepProvider(t)
	for range *walkSteps {
		w.step(t)
	}
}

// walkValues are the values, in HCL, that an edit chooses from.
var walkValues = map[string][]string{
	"channels": {
		`[{"type":"slack","recipient":["C1"],"fields":{"service":"checkout"}}]`,
		`[{"type":"slack","recipient":["C1"],"subject":"live"},{"type":"email","recipient":["a"]}]`,
	},
	"priority":         {`"HIGH"`, `"BATCH"`},
	"triggers":         {"null", "{}", `{"release":"1"}`, `{"release":"1","region":"eu"}`},
	"resend_on_change": {"false", "true"},
	"delivery":         {`"at_least_once"`, `"at_most_once"`},
	"timeouts":         {"null", `{"create":"1m"}`},
}

// walk is a sequence of edits and commands for one notification.
type walk struct {
	*workspace

	random  *rand.Rand
	config  map[string]string
	applied map[string]string // the config of the last apply; nil: not applied since the import
	state   *walkState        // nil: nothing
	output  string            // of the last command
}

// outcome is the result of a submission.
type outcome int

const (
	stored outcome = iota
	storedWithoutID
	rejected
	unknown
)

var walkFaults = []struct {
	sequence string // of faults of the emulator
	requests int
	outcome
}{
	{"", 1, stored},
	{"status:429:0", 2, stored},
	{"empty", 1, storedWithoutID},
	{"status:422", 1, rejected},
	{"status:500", 1, unknown},
	{"reset-after", 1, unknown},
}

// step edits the configuration, and runs a command.
func (w *walk) step(t *testing.T) {
	t.Helper()
	for range w.random.IntN(3) {
		name := pick(w.random, slices.Sorted(maps.Keys(walkValues)))
		w.config[name] = pick(w.random, slices.DeleteFunc(slices.Clone(walkValues[name]),
			func(value string) bool { return value == w.config[name] }))
		t.Log(name, "=", w.config[name])
	}
	w.write(t, w.hcl())
	switch w.random.IntN(8) {
	case 4:
		w.apply(t, "-replace="+address)
	case 5:
		w.equal(t, "the plan", announced(w.run(t, "plan")), w.documented(false).action)
	case 6:
		w.run(t, "destroy")
		w.state = nil
	case 7: // an imported notification replaces the one in the state
		if w.state != nil {
			w.run(t, "state", "rm", address)
		}
		const id = "of-another"
		w.run(t, "import", address, id)
		w.state, w.applied = &walkState{id: id, asSubmitted: false}, nil
	default:
		w.apply(t)
	}
	w.equal(t, "the state", w.inState(t), w.state)
}

// apply applies the configuration, with a random fault for the submission.
func (w *walk) apply(t *testing.T, args ...string) {
	t.Helper()
	p := w.documented(len(args) > 0)
	faults := walkFaults[0]
	if p.sends {
		faults = pick(w.random, walkFaults)
		t.Log("submission faults:", faults.sequence)
	}
	w.setSubmissionFaults(t, faults.sequence)
	fails := faults.outcome == rejected ||
		faults.outcome == unknown && w.config["delivery"] == `"at_least_once"`
	status, requests := 0, 0
	if fails {
		status = 1
	}
	if p.sends {
		requests = faults.requests
	}
	output := w.runSending(t, status, requests, append([]string{"apply"}, args...)...)
	w.equal(t, "the plan", announced(output), p.action)
	if len(args) == 0 { // with -replace, which the provider cannot see, it may differ
		w.equal(t, "it warns",
			strings.Contains(output, "Changes to a notification are not sent by themselves"), p.warns)
	}
	switch {
	case fails:
		w.state = nil
	case p.sends:
		w.state = &walkState{confirmed: faults.outcome == stored, asSubmitted: true}
		if faults.outcome == stored {
			w.state.id = w.Ledger().Submissions[0].NotificationID
		}
	case p.warns:
		w.state.asSubmitted = false
	}
	if !fails {
		w.applied = maps.Clone(w.config)
	}
}

// run runs a command that succeeds and sends nothing.
func (w *walk) run(t *testing.T, args ...string) string {
	t.Helper()
	output := w.runSending(t, 0, 0, args...)
	w.equal(t, "requests", len(w.Ledger().Requests), 0)
	return output
}

// runSending runs a command that makes the given number of submissions, and returns its output.
func (w *walk) runSending(t *testing.T, status, requests int, args ...string) string {
	t.Helper()
	t.Log("terraform", strings.Join(args, " "))
	w.ClearLedger()
	output, got := w.terraform(t, args...)
	w.output = output
	w.equal(t, "exit status", got, status)
	ledger := w.Ledger()
	w.equal(t, "submissions", ledger.SubmissionRequests, requests)
	for _, submission := range ledger.Submissions {
		w.equal(t, "the body", string(submission.Body), fmt.Sprintf(`{"channels":%s,"priority":%s}`,
			w.config["channels"], w.config["priority"]))
	}
	return output
}

// announced returns the action on the notification that a plan or an apply announces.
func announced(output string) string {
	action := regexp.MustCompile(
		`# notification_notification\.n .* be (created|updated in-place|replaced|destroyed)`)
	if match := action.FindStringSubmatch(output); match != nil {
		return match[1]
	}
	return ""
}

// inState returns the notification in the state; nil if there is none.
func (w *walk) inState(t *testing.T) *walkState {
	t.Helper()
	instances := w.instances(t)
	if len(instances) == 0 {
		return nil
	}
	w.equal(t, "instances", len(instances), 1)
	all := instances[0].Attributes
	w.equal(t, "id", all["id"], all["notification_id"])
	w.equal(t, "has submitted_at", all["submitted_at"] != nil, all["confirmed"] != nil)
	return &walkState{
		id: all["id"], confirmed: all["confirmed"], asSubmitted: all["as_submitted"],
	}
}

// equal ends the walk unless got equals want.
func (w *walk) equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\n%s\n%s: got  %+v\n%s: want %+v", w.hcl(), w.output, what, got, what, want)
	}
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// hcl returns the configuration.
func (w *walk) hcl() string {
	var b strings.Builder
	b.WriteString("resource \"notification_notification\" \"n\" {\n")
	for _, name := range slices.Sorted(maps.Keys(w.config)) {
		b.WriteString("  " + name + " = " + w.config[name] + "\n")
	}
	return b.String() + "}\n"
}
