package fault

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/route"
)

// Sequences are the steps that are left of each target.
type Sequences map[route.Target]sequence

// sequence is the steps that are left, the next one first.
type sequence struct {
	steps  []Step
	repeat bool // a step that is taken goes to the end
}

// Take removes the step that is the turn of the next request, and returns it with a count of 1. Of
// an empty sequence it is a pass.
func (s Sequences) Take(to route.Target) Step {
	left := s[to]
	if len(left.steps) == 0 {
		return Step{text: "pass", Name: "pass", count: 1}
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

// Step is one fault, for count requests in a row. Members that its name does not use are zero.
type Step struct {
	Name       string // of its kind
	Code       int    // HTTP status
	Duration   time.Duration
	Argument   string // OAuth error code or URL
	text       string // as it was given, without the count
	count      int    // at least 1
	retryAfter string // seconds from the answer on, as a date after datePrefix; empty: none
}

// datePrefix marks a Retry-After that is a date (RFC 9110 section 10.2.3).
const datePrefix = "date+"

// String is the text form of the step.
func (s Step) String() string {
	if s.count > 1 {
		return s.text + "*" + strconv.Itoa(s.count)
	}
	return s.text
}

// SetRetryAfter adds that header, if the step has one. A date has whole seconds, so that it is
// rounded up: the client shall wait no less.
func (s Step) SetRetryAfter(header http.Header, now time.Time) {
	text, date := strings.CutPrefix(s.retryAfter, datePrefix)
	if date {
		seconds, _ := strconv.Atoi(text) // is a number
		at := now.Add(time.Duration(seconds)*time.Second + time.Second - 1).Truncate(time.Second)
		text = at.UTC().Format(http.TimeFormat)
	}
	if text != "" {
		header.Set("Retry-After", text)
	}
}
