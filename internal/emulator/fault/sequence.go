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

// targets are the endpoints that faults can act on.
var targets = []route.Target{route.Token, route.Submission, route.Studies}

// Faults maps a target (token, submission or studies) to the sequence of faults that its next
// requests meet, one step for each request in order of arrival, whether or not the request is a
// good one. [Usage] has the grammar and the names.
type Faults map[string]string

// Sequences are the steps that are left of each target.
type Sequences map[route.Target]sequence

// sequence is the steps that are left, the next one first.
type sequence struct {
	steps  []Step
	repeat bool // a step that is taken goes to the end
}

// Step is one fault, for count requests in a row.
type Step struct {
	Fault
	text  string // as it was given, without the count
	count int    // at least 1
}

var pass = Step{Fault: Fault{Serve: true}, text: "pass", count: 1}

// Parse checks everything and returns the sequences, or an error that names every target whose
// sequence is wrong.
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

// parseSequence reads the text form. Its error quotes the step that is wrong and lists what there
// is.
func parseSequence(text string) (s sequence, err error) {
	for more := text != ""; more; {
		part := text
		if name, _, _ := strings.Cut(text, ":"); name == "json" || name == "json-after" {
			more = false // it may hold commas
		} else {
			part, text, more = strings.Cut(text, ",")
		}
		if part == "repeat" && !more && len(s.steps) > 0 {
			s.repeat = true
			break
		}
		step, err := parseStep(part)
		if err != nil {
			var forms []string
			for _, k := range kinds {
				forms = append(forms, k.form())
			}
			return s, fmt.Errorf("step %q: %w; the steps are %s, and repeat at the end", part, err,
				strings.Join(forms, ", "))
		}
		s.steps = append(s.steps, step)
	}
	return s, nil
}

func parseStep(text string) (s Step, err error) {
	s = Step{text: text, count: 1}
	if i := strings.LastIndexByte(text, '*'); i >= 0 && !strings.HasPrefix(text, "json") {
		s.text = text[:i]
		if s.count, err = parseNumber("N", text[i+1:], 1, maxNumber); err != nil {
			return s, err
		}
	}
	s.Fault, err = parseFault(s.text)
	return s, err
}

// Take removes the step that is the turn of the next request, and returns it with a count of 1. Of
// an empty sequence it is a pass.
func (s Sequences) Take(to route.Target) Step {
	left := s[to]
	if len(left.steps) == 0 {
		return pass
	}
	next := left.steps[0]
	next.count = 1
	if left.steps[0].count > 1 {
		left.steps[0].count--
	} else {
		left.steps = left.steps[1:]
	}
	switch last := len(left.steps) - 1; {
	case left.repeat && last >= 0 && left.steps[last].text == next.text:
		left.steps[last].count++
	case left.repeat:
		left.steps = append(left.steps, next)
	}
	s[to] = left
	return next
}

// Faults is the text form of the sequences that are left, for every target. One that repeats begins
// with the step that is next.
func (s Sequences) Faults() Faults {
	f := make(Faults)
	for _, to := range targets {
		f[string(to)] = s[to].String()
	}
	return f
}

// String is the text form.
func (s sequence) String() string {
	var parts []string
	for _, step := range s.steps {
		parts = append(parts, step.String())
	}
	if s.repeat {
		parts = append(parts, "repeat")
	}
	return strings.Join(parts, ",")
}

// String is the text form of the step.
func (s Step) String() string {
	if s.count > 1 {
		return s.text + "*" + strconv.Itoa(s.count)
	}
	return s.text
}
