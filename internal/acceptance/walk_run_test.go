package acceptance

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// bodies are those of all submissions, rejected ones included.
func (w *walk) bodies() []any {
	ledger, bodies := w.Ledger(), []any{}
	for _, accepted := range ledger.Submissions {
		bodies = append(bodies, decoded(string(accepted.Body)))
	}
	for _, request := range ledger.Requests {
		if request.Body != "" {
			bodies = append(bodies, decoded(request.Body))
		}
	}
	return bodies
}

// run runs a command that must end with the given status, and make the requests of a fault.
func (w *walk) run(t *testing.T, status int, met fault, args ...string) {
	t.Helper()
	w.note("terraform " + strings.Join(args, " "))
	w.ClearLedger()
	var got int
	w.output, got = w.terraform(t, args...)
	w.equal(t, "exit status", got, status)
	bodies := slices.Repeat([]any{w.config.body()}, met.submissions)
	w.equal(t, "submitted bodies", w.bodies(), bodies)
	w.equal(t, "token requests", w.Ledger().TokenRequests, met.tokens)
	w.equal(t, "requests", len(w.Ledger().Requests), met.submissions+met.tokens)
}

// apply applies the configuration; every other submission meets a fault. After a success the next
// plan is empty.
func (w *walk) apply(t *testing.T, replace bool) {
	t.Helper()
	p, met := plan(w.object, w.config, replace), fault{}
	if p.sends() {
		met = fault{submissions: 1, tokens: 1}
		if w.random.IntN(2) == 0 {
			met = pick(w.random, faults())
			w.note("submissions meet " + met.sequence)
		}
	}
	w.submissionsMeet(t, met.sequence)
	args, status := []string{"apply"}, 0
	if replace {
		args = append(args, "-replace="+address)
	}
	if p.sends() && p.fails(met.outcome) {
		status = 1
	}
	w.run(t, status, met, args...)
	w.equal(t, "announced action", w.announced(), p.action)
	if !replace { // which the provider cannot see
		w.equal(t, "warned", w.warned(),
			p.warns || met.outcome == storedWithoutID || met.outcome == ambiguous && status == 0)
	}
	w.object = p.apply(w.object, w.config.createBeforeDestroy, met.outcome)
	if p.sends() && status == 0 {
		w.object.submittedAt, _ = w.state(t)["submitted_at"].(string) // compared next
		w.equal(t, "submitted_at is null", w.object.submittedAt == "", false)
		if met.outcome == stored {
			w.object.id = w.Ledger().Submissions[0].NotificationID
		}
	}
	w.equal(t, "state", w.state(t), w.object.attributes())
	if status == 0 {
		w.write(t, w.config.hcl()) // without an import block
		w.run(t, 0, fault{}, "plan")
	}
}

// plan runs a plan, which changes nothing.
func (w *walk) plan(t *testing.T) {
	t.Helper()
	p := plan(w.object, w.config, false)
	status := 2
	if p.action == none {
		status = 0
	}
	w.run(t, status, fault{}, "plan")
	w.equal(t, "announced action", w.announced(), p.action)
	w.equal(t, "warned", w.warned(), p.warns)
	w.equal(t, "state", w.state(t), w.object.attributes())
}

// runSilently runs a command that must succeed without a request, after which the state holds
// after.
func (w *walk) runSilently(t *testing.T, after *object, args ...string) {
	t.Helper()
	w.run(t, 0, fault{}, args...)
	w.object = after
	w.equal(t, "state", w.state(t), w.object.attributes())
}

func (w *walk) announced() action {
	announcement := regexp.MustCompile(
		`# notification_notification\.n .* be (created|updated in-place|replaced|destroyed|imported)`)
	if match := announcement.FindStringSubmatch(w.output); match != nil {
		return action(match[1])
	}
	return none
}

// warned reports whether there is a warning other than the one about dev_overrides.
func (w *walk) warned() bool {
	return strings.Count(w.output, "Warning: ") > strings.Count(w.output, "Warning: Provider dev")
}

// state returns the notification in the state, in the form of object.attributes.
func (w *walk) state(t *testing.T) map[string]any {
	t.Helper()
	instances := w.instances(t)
	if len(instances) == 0 {
		return nil
	}
	w.equal(t, "one object", len(instances) == 1 && instances[0].Deposed == "", true)
	attributes := instances[0].Attributes
	dropNulls(attributes)
	attributes["tainted"] = instances[0].Status == "tainted"
	return attributes
}

func dropNulls(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			dropNulls(element)
		}
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, member any) bool {
			dropNulls(member)
			return member == nil
		})
	}
}

// equal ends the walk unless got is want.
func (w *walk) equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\n%s\n%s\n%s: got  %v\n%s: want %v",
			w.history(), w.config.hcl(), w.output, what, got, what, want)
	}
}

// note adds a line to the log of the current step.
func (w *walk) note(text string) {
	last := &w.log[len(w.log)-1]
	*last = strings.TrimPrefix(*last+"; "+strings.TrimSpace(text), "; ")
}

// history says what happened, and how to repeat it.
func (w *walk) history() string {
	var b strings.Builder
	fmt.Fprintf(&b, "-walk.seed=%d -walk.steps=%d", w.seed, len(w.log))
	for i, line := range w.log {
		fmt.Fprintf(&b, "\n%3d. %s", i+1, line)
	}
	return b.String()
}
