package emulator

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxNumber bounds counts and seconds: beyond it lie only mistakes.
const maxNumber = 1_000_000_000

// parseSequence reads the text form. Its error quotes the step that is wrong and lists what is
// right.
func parseSequence(to target, text string) (sequence, error) {
	if text == "" {
		return sequence{}, nil
	}
	parts := strings.Split(text, ",")
	var s sequence
	if last := len(parts) - 1; parts[last] == "repeat" {
		s.repeat = true
		parts = parts[:last]
	}
	if len(parts) == 0 {
		return sequence{}, errors.New("repeat needs steps before it")
	}
	for _, part := range parts {
		step, err := parseStep(to, part)
		if err != nil {
			return sequence{}, fmt.Errorf("step %q: %w; the steps for %s are %s, and repeat at the end", part, err, to, validFor(to))
		}
		s.steps = append(s.steps, step)
	}
	return s, nil
}

func parseStep(to target, text string) (step, error) {
	switch text {
	case "":
		return step{}, errors.New("is empty")
	case "repeat":
		return step{}, errors.New("must be the last one")
	}
	count := 1
	if i := strings.LastIndexByte(text, '*'); i >= 0 {
		var err error
		if count, err = parseNumber(text[i+1:], 1, maxNumber); err != nil {
			return step{}, fmt.Errorf("COUNT %w", err)
		}
		text = text[:i]
	}
	name, arguments, given := strings.Cut(text, ":")
	k, ok := kindFor(to, name)
	if !ok {
		return step{}, fmt.Errorf("there is no %q", name)
	}
	var s step
	err := errors.New("takes no arguments")
	if k.parse != nil {
		s, err = k.parse(arguments, given)
	}
	if err != nil && (given || k.parse != nil) {
		return step{}, fmt.Errorf("%s: %w", k.form(), err)
	}
	s.text, s.name, s.count = text, k.name, count
	return s, nil
}

func parseStatus(arguments string, _ bool) (step, error) {
	codeText, retryText, retryGiven := strings.Cut(arguments, ":")
	code, err := parseNumber(codeText, 200, 599)
	if err != nil {
		return step{}, fmt.Errorf("CODE %w", err)
	}
	s := step{code: code}
	if !retryGiven {
		return s, nil
	}
	if _, err := parseNumber(strings.TrimPrefix(retryText, datePrefix), 0, maxNumber); err != nil {
		return step{}, fmt.Errorf("RETRY_AFTER %w", err)
	}
	s.retryAfter = retryText
	return s, nil
}

func parseOAuth(arguments string, _ bool) (step, error) {
	code, statusText, statusGiven := strings.Cut(arguments, ":")
	if code == "" || strings.ContainsFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	}) {
		return step{}, errors.New("ERROR_CODE must be made of a-z, 0-9 and _")
	}
	s := step{argument: code, code: http.StatusBadRequest}
	if statusGiven {
		var err error
		if s.code, err = parseNumber(statusText, 400, 599); err != nil {
			return step{}, fmt.Errorf("STATUS %w", err)
		}
	}
	return s, nil
}

func parseHTML(arguments string, given bool) (step, error) {
	s := step{code: http.StatusOK}
	if given {
		var err error
		if s.code, err = parseNumber(arguments, 200, 599); err != nil {
			return step{}, fmt.Errorf("STATUS %w", err)
		}
		if !bodyAllowed(s.code) {
			return step{}, fmt.Errorf("STATUS %d has no room for a page", s.code)
		}
	}
	return s, nil
}

func parseRedirect(arguments string, _ bool) (step, error) {
	s := step{code: http.StatusTemporaryRedirect, argument: arguments}
	statusText, rest, given := strings.Cut(arguments, ":")
	if code, err := strconv.Atoi(statusText); given && err == nil {
		if !slices.Contains([]string{"301", "302", "303", "307", "308"}, statusText) {
			return step{}, errors.New("STATUS must be 301, 302, 303, 307 or 308")
		}
		s.code, s.argument = code, rest
	}
	hidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if s.argument == "" || strings.ContainsFunc(s.argument, hidden) {
		return step{}, errors.New("URL must be visible ASCII characters; escape the others, comma and asterisk too")
	}
	if _, err := url.Parse(s.argument); err != nil {
		return step{}, fmt.Errorf("URL: %w", err)
	}
	return s, nil
}

func parsePositiveDuration(arguments string, given bool) (step, error) {
	s, err := parseLifetime(arguments, given)
	if err == nil && s.duration == 0 {
		return step{}, errors.New("DURATION must be more than 0")
	}
	return s, err
}

func parseLifetime(arguments string, _ bool) (step, error) {
	duration, err := time.ParseDuration(arguments)
	if err != nil {
		return step{}, fmt.Errorf("DURATION must be one such as 250ms, 2s or 1m30s: %w", err)
	}
	if duration < 0 {
		return step{}, errors.New("DURATION must not be negative")
	}
	return step{duration: duration}, nil
}

// parseNumber reads a decimal number between least and most, without a sign and without leading
// zeros.
func parseNumber(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text || n < least || n > most {
		return 0, fmt.Errorf("must be a whole number from %d to %d, not %q", least, most, text)
	}
	return n, nil
}
