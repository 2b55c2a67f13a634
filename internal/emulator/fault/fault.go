// Package fault is the language of faults: which ones there are, how they are written, and which of
// them the next request meets. What a fault does to a request is not its concern.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"terraform-provider-notification/internal/emulator/route"
)

// targets are the endpoints that faults can act on.
var targets = []route.Target{route.Token, route.Submission, route.Studies}

// Faults maps a target (token, submission or studies) to the sequence of faults that its next
// requests meet, one step for each request in order of arrival, whether or not the request is a
// good one. [Usage] has the grammar and the names.
//
// A fault that rejects (status:CODE from 300 up, oauth, html, html-as-json, redirect, hang,
// reset-before, close-before) leaves the request unseen: nothing is accepted. Of the others, delay,
// drip, reset-after, close-after and revoke act on whatever the request deserves, and those that
// change the content of an answer act on accepted requests only.
type Faults map[string]string

// Parse checks everything and returns the sequences, or an error that names every target whose
// sequence is wrong.
func (f Faults) Parse() (Sequences, error) {
	sequences := make(Sequences, len(f))
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(f)) {
		to := route.Target(name)
		s, err := parseSequence(to, f[name])
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

// Faults is the text form of the sequences that are left, for every target. One that repeats begins
// with the step that is next.
func (s Sequences) Faults() Faults {
	f := make(Faults)
	for _, to := range targets {
		f[string(to)] = s[to].String()
	}
	return f
}

// parseSequence reads the text form. Its error quotes the step that is wrong and lists what is
// right.
func parseSequence(to route.Target, text string) (s sequence, err error) {
	if text == "" {
		return s, nil
	}
	parts := strings.Split(text, ",")
	if last := len(parts) - 1; parts[last] == "repeat" {
		s.repeat = true
		parts = parts[:last]
	}
	if len(parts) == 0 {
		return s, errors.New("repeat needs steps before it")
	}
	kinds := kindsFor(to)
	for _, part := range parts {
		step, err := parseStep(kinds, part)
		if err != nil {
			var forms []string
			for _, k := range kinds {
				forms = append(forms, k.form())
			}
			return s, fmt.Errorf("step %q: %w; the steps for %s are %s, and repeat at the end",
				part, err, to, strings.Join(forms, ", "))
		}
		s.steps = append(s.steps, step)
	}
	return s, nil
}

// parseStep reads a step of one of the kinds.
func parseStep(kinds []Kind, text string) (s Step, err error) {
	switch text {
	case "":
		return s, errors.New("is empty")
	case "repeat":
		return s, errors.New("must be the last one")
	}
	count := 1
	if i := strings.LastIndexByte(text, '*'); i >= 0 {
		if count, err = parseNumber("COUNT", text[i+1:], 1, maxNumber); err != nil {
			return s, err
		}
		text = text[:i]
	}
	name, arguments, given := strings.Cut(text, ":")
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.name == name })
	if i < 0 {
		return s, fmt.Errorf("there is no %q", name)
	}
	if s, err = kinds[i].parse(arguments, given); err != nil {
		return s, fmt.Errorf("%s: %w", kinds[i].form(), err)
	}
	s.text, s.Name, s.count = text, name, count
	return s, nil
}
