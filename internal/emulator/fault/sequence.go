package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"terraform-provider-notification/internal/emulator/route"
)

// targets lists the endpoints that can have faults.
var targets = []route.Target{route.Token, route.Submission, route.Studies}

// Faults maps a target (token, submission or studies) to a sequence of faults for its next
// requests, one step for each request in order of arrival, valid or not. [Usage] has the grammar.
type Faults map[string]string

// maxCount is the largest number of requests in a sequence, as many as the ledger keeps.
const maxCount = 10_000

// Sequences holds the remaining steps of each target.
type Sequences map[route.Target]sequence

// sequence holds the remaining steps of one target, the next one first.
type sequence struct {
	steps  []Step
	repeat bool // each step moves to the end when it is taken
}

// Step is the fault of one request.
type Step struct {
	Fault
	Text string // as given, without the count
}

// Parse returns the sequences, or an error that names every unknown target and every target with an
// invalid sequence.
func (f Faults) Parse() (Sequences, error) {
	sequences := make(Sequences, len(f))
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(f)) {
		to := route.Target(name)
		s, err := parseSequence(f[name])
		switch {
		case !slices.Contains(targets, to):
			problems = append(problems, fmt.Errorf(
				"there are no faults for %q, only for token, submission and studies", name))
		case err != nil:
			problems = append(problems, fmt.Errorf("faults for %s: %w", name, err))
		}
		sequences[to] = s
	}
	return sequences, errors.Join(problems...)
}

// parseSequence parses the text of a sequence. Its error quotes the invalid step and lists all
// kinds of steps.
func parseSequence(text string) (s sequence, err error) {
	for more := text != ""; more; {
		part := text
		if name, _, _ := strings.Cut(text, ":"); name == "json" || name == "json-after" {
			more = false // the JSON may contain commas
		} else {
			part, text, more = strings.Cut(text, ",")
		}
		if part == "repeat" && !more && len(s.steps) > 0 {
			s.repeat = true
			break
		}
		step, count, err := parseStep(part)
		if err != nil {
			var steps []string
			for _, k := range kinds {
				steps = append(steps, k.usage)
			}
			return s, fmt.Errorf("step %q: %w; the steps are %s, and repeat at the end", part, err,
				strings.Join(steps, ", "))
		}
		s.steps = append(s.steps, slices.Repeat([]Step{step}, count)...)
		if len(s.steps) > maxCount {
			return s, fmt.Errorf("a sequence is for %d requests at most", maxCount)
		}
	}
	return s, nil
}

func parseStep(text string) (s Step, count int, err error) {
	count = 1
	if i := strings.LastIndexByte(text, '*'); i >= 0 && !strings.HasPrefix(text, "json") {
		if count, err = parseNumber("N", text[i+1:], 1, maxCount); err != nil {
			return s, 0, err
		}
		text = text[:i]
	}
	fault, err := parseFault(text)
	return Step{fault, text}, count, err
}

// Next removes and returns the step for the next request to the target: pass if none is left.
func (s Sequences) Next(to route.Target) Step {
	left := s[to]
	if len(left.steps) == 0 {
		return Step{Fault{Serve: true}, "pass"}
	}
	next := left.steps[0]
	left.steps = left.steps[1:]
	if left.repeat {
		left.steps = append(left.steps, next)
	}
	s[to] = left
	return next
}

// Faults returns the remaining sequence of every target as text. A repeating sequence begins with
// its next step.
func (s Sequences) Faults() Faults {
	f := make(Faults)
	for _, to := range targets {
		var parts []string
		for steps := s[to].steps; len(steps) > 0; {
			text, count := steps[0].Text, 1
			for count < len(steps) && steps[count].Text == text {
				count++
			}
			steps = steps[count:]
			if count > 1 {
				text += "*" + strconv.Itoa(count)
			}
			parts = append(parts, text)
		}
		if s[to].repeat {
			parts = append(parts, "repeat")
		}
		f[string(to)] = strings.Join(parts, ",")
	}
	return f
}
