package emulator

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Faults maps a target (token, submission or studies) to the sequence of faults that its next
// requests meet, one step for each request in order of arrival, whether or not the request is a
// good one. [FaultUsage] has the grammar and the names.
//
// A fault that rejects (status:CODE from 300 up, oauth, html, html-as-json, redirect, hang,
// reset-before, close-before) leaves the request unseen: nothing is accepted. Of the others, delay,
// drip, reset-after, close-after and revoke act on whatever the request deserves, and those that
// change the content of an answer act on accepted requests only.
type Faults map[string]string

// parse checks everything and returns the sequences, or an error that names every target whose
// sequence is wrong.
func (f Faults) parse() (map[target]sequence, error) {
	sequences := make(map[target]sequence, len(f))
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(f)) {
		to := target(name)
		if !slices.Contains(faultTargets, to) {
			problems = append(problems, fmt.Errorf("there are no faults for %q, only for token, submission and studies", name))
			continue
		}
		s, err := parseSequence(to, f[name])
		if err != nil {
			problems = append(problems, fmt.Errorf("faults for %s: %w", name, err))
			continue
		}
		sequences[to] = s
	}
	return sequences, errors.Join(problems...)
}

// SetFaults replaces the sequences of the targets in f and leaves the others alone. On error
// nothing changes.
func (e *Emulator) SetFaults(f Faults) error {
	sequences, err := f.parse()
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	maps.Copy(e.faults, sequences)
	e.announce()
	return nil
}

// ClearFaults removes the sequences of all targets.
func (e *Emulator) ClearFaults() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.faults)
	e.announce()
}

// Faults returns, for every target, the sequence that is left. One that repeats begins with the
// step that is next.
func (e *Emulator) Faults() Faults {
	e.mu.Lock()
	defer e.mu.Unlock()
	f := make(Faults)
	for _, to := range faultTargets {
		f[string(to)] = e.faults[to].String()
	}
	return f
}

// sequence is the steps that are left, the next one first.
type sequence struct {
	steps  []step
	repeat bool // a step that is taken goes to the end
}

// take removes the next step and returns it with a count of 1. Of an empty sequence it is a pass.
func (s *sequence) take() step {
	if len(s.steps) == 0 {
		return step{text: "pass", name: "pass", count: 1}
	}
	next := s.steps[0]
	next.count = 1
	if s.steps[0].count > 1 {
		s.steps[0].count--
	} else {
		s.steps = s.steps[1:]
	}
	switch last := len(s.steps) - 1; {
	case s.repeat && last >= 0 && s.steps[last].text == next.text:
		s.steps[last].count++
	case s.repeat:
		s.steps = append(s.steps, next)
	}
	return next
}

// String is the text form; it has a comma nowhere but between steps.
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

// step is one fault, for count requests in a row. Members that its name does not use are zero.
type step struct {
	text       string // as it was given, without the count
	name       string
	count      int    // at least 1
	code       int    // HTTP status
	retryAfter string // seconds from the answer on, as a date after datePrefix; empty: none
	duration   time.Duration
	argument   string // OAuth error code or URL
}

// datePrefix marks a Retry-After that is a date (RFC 9110 section 10.2.3).
const datePrefix = "date+"

// String is the text form of the step.
func (s step) String() string {
	if s.count > 1 {
		return s.text + "*" + strconv.Itoa(s.count)
	}
	return s.text
}
