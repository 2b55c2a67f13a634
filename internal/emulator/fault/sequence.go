package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Faults maps a target, which is the name of an endpoint, to a sequence of faults for its next
// requests, one step for each request in order of arrival, valid or not. [Usage] has the grammar.
type Faults map[string]string

// maxCount is the largest number of requests in a sequence, as many as the ledger keeps.
const maxCount = 10_000

// Sequences holds the remaining steps of each target.
type Sequences map[string]sequence

// sequence holds the remaining steps of one target, the next one first.
type sequence struct {
	steps  []Fault
	repeat bool // each step moves to the end when it is taken
}

// Parse returns the sequences, or an error that names every target that is not one of targets, and
// every target with an invalid sequence.
func (f Faults) Parse(targets []string) (Sequences, error) {
	sequences := make(Sequences, len(f))
	var problems []error
	for _, target := range slices.Sorted(maps.Keys(f)) {
		s, err := parseSequence(f[target])
		switch {
		case !slices.Contains(targets, target):
			problems = append(problems, fmt.Errorf("there are no faults for %q, only for %s", target,
				strings.Join(targets, ", ")))
		case err != nil:
			problems = append(problems, fmt.Errorf("faults for %s: %w", target, err))
		}
		sequences[target] = s
	}
	return sequences, errors.Join(problems...)
}

// parseSequence's error quotes the invalid step and lists all kinds of steps.
func parseSequence(text string) (s sequence, err error) {
	if text == "" {
		return s, nil
	}
	parts := strings.Split(text, ",")
	if i := slices.IndexFunc(parts, isJSON); i >= 0 {
		parts = append(parts[:i], strings.Join(parts[i:], ","))
	}
	last := len(parts) - 1
	if s.repeat = last > 0 && parts[last] == "repeat"; s.repeat {
		parts = parts[:last]
	}
	for _, part := range parts {
		step, count, err := parseStep(part)
		if err != nil {
			var steps []string
			for _, k := range kinds {
				steps = append(steps, k.usage())
			}
			return s, fmt.Errorf("step %q: %w; the steps are %s, and repeat at the end", part, err,
				strings.Join(steps, ", "))
		}
		s.steps = append(s.steps, slices.Repeat([]Fault{step}, count)...)
		if len(s.steps) > maxCount {
			return s, fmt.Errorf("a sequence is for %d requests at most", maxCount)
		}
	}
	return s, nil
}

// isJSON reports whether a step is of the kind that takes the rest of its sequence.
func isJSON(step string) bool { return strings.HasPrefix(step, "json") }

func parseStep(text string) (f Fault, count int, err error) {
	count = 1
	if i := strings.LastIndexByte(text, '*'); i >= 0 && !isJSON(text) {
		if count, err = parseNumber("N", text[i+1:], 1, maxCount); err != nil {
			return f, 0, err
		}
		text = text[:i]
	}
	f, err = parseFault(text)
	return f, count, err
}

// Next removes and returns the step for the next request to the target: pass if none is left.
func (s Sequences) Next(target string) Fault {
	left := s[target]
	if len(left.steps) == 0 {
		return Fault{Text: "pass", Serve: true}
	}
	next := left.steps[0]
	left.steps = left.steps[1:]
	if left.repeat {
		left.steps = append(left.steps, next)
	}
	s[target] = left
	return next
}

// Faults returns the remaining sequence of each of the targets as text. A repeating sequence begins
// with its next step.
func (s Sequences) Faults(targets []string) Faults {
	f := make(Faults)
	for _, target := range targets {
		var parts []string
		for steps := s[target].steps; len(steps) > 0; {
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
		if s[target].repeat {
			parts = append(parts, "repeat")
		}
		f[target] = strings.Join(parts, ",")
	}
	return f
}
