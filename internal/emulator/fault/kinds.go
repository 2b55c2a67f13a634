package fault

import (
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/route"
)

// Kind is what the steps of one name have in common.
type Kind struct {
	name      string
	arguments string       // as shown to people, with the colon
	example   string       // of the arguments
	only      route.Target // that it can act on; empty: all
	// parse reads the arguments, without the colon before them; given is false when there was no
	// colon. It returns a step only without an error.
	parse func(arguments string, given bool) (Step, error)
}

// Kinds are all of them, in the order in which they are listed.
func Kinds() []Kind {
	return []Kind{
		{"pass", "", "", "", parseNothing},
		{"status", ":CODE[:RETRY_AFTER]", ":503:1", "", parseStatus},
		{"oauth", ":ERROR_CODE[:STATUS]", ":invalid_scope", route.Token, parseOAuth},
		{"html", "[:STATUS]", ":503", "", parseHTML},
		{"html-as-json", "", "", "", parseNothing},
		{"redirect", ":[STATUS:]URL", ":/elsewhere", "", parseRedirect},
		{"hang", "", "", "", parseNothing},
		{"reset-before", "", "", "", parseNothing},
		{"close-before", "", "", "", parseNothing},
		{"reset-after", "", "", "", parseNothing},
		{"close-after", "", "", "", parseNothing},
		{"delay", ":DURATION", ":5s", "", parsePositiveDuration},
		{"drip", ":DURATION", ":5s", "", parsePositiveDuration},
		{"truncate", "", "", "", parseNothing},
		{"empty", "", "", "", parseNothing},
		{"text", "", "", "", parseNothing},
		{"no-id", "", "", route.Submission, parseNothing},
		{"bad-id", "", "", route.Submission, parseNothing},
		{"revoke", "", "", "", parseNothing},
		{"lifetime", ":DURATION", ":5s", route.Token, parseDuration},
		{"wrong-type", "", "", route.Token, parseNothing},
		{"no-token", "", "", route.Token, parseNothing},
	}
}

// kindsFor are those that can act on the target.
func kindsFor(to route.Target) []Kind {
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return k.only != "" && k.only != to })
}

// form is the name with its arguments.
func (k Kind) form() string { return k.name + k.arguments }

// Example is a step of that kind with arguments.
func (k Kind) Example() string { return k.name + k.example }

//go:embed usage.txt
var usage string

// Usage explains the text form of faults to people: lines of plain text, each ended by a newline.
func Usage() string { return usage }

// nextStep is where the text about a step ends.
var nextStep = regexp.MustCompile(`\n  \S`)

// About is what Usage says of the kind.
func (k Kind) About() string {
	_, about, _ := strings.Cut(usage, "\n  "+k.form()+"\n")
	return strings.TrimSpace(nextStep.Split(about, 2)[0])
}

func parseNothing(_ string, given bool) (Step, error) {
	if given {
		return Step{}, errors.New("takes no arguments")
	}
	return Step{}, nil
}

func parseStatus(arguments string, _ bool) (s Step, err error) {
	code, retryAfter, given := strings.Cut(arguments, ":")
	s.retryAfter = retryAfter
	if s.Code, err = parseNumber("CODE", code, 200, 599); err == nil && given {
		seconds := strings.TrimPrefix(retryAfter, datePrefix)
		_, err = parseNumber("RETRY_AFTER", seconds, 0, maxNumber)
	}
	return s, err
}

func parseOAuth(arguments string, _ bool) (s Step, err error) {
	code, status, given := strings.Cut(arguments, ":")
	if code == "" || strings.ContainsFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	}) {
		return s, errors.New("ERROR_CODE must be made of a-z, 0-9 and _")
	}
	s = Step{Argument: code, Code: http.StatusBadRequest}
	if given {
		s.Code, err = parseNumber("STATUS", status, 400, 599)
	}
	return s, err
}

func parseHTML(arguments string, given bool) (s Step, err error) {
	s.Code = http.StatusOK
	if given {
		s.Code, err = parseNumber("STATUS", arguments, 200, 599)
	}
	if err == nil && !AllowsBody(s.Code) {
		err = fmt.Errorf("STATUS %d has no room for a page", s.Code)
	}
	return s, err
}

// AllowsBody says whether an answer with the status may have a body (RFC 9110 section 6.4.1).
func AllowsBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusResetContent &&
		status != http.StatusNotModified
}

func parseRedirect(arguments string, _ bool) (Step, error) {
	s := Step{Code: http.StatusTemporaryRedirect, Argument: arguments}
	status, rest, given := strings.Cut(arguments, ":")
	if code, err := strconv.Atoi(status); given && err == nil {
		if !slices.Contains([]string{"301", "302", "303", "307", "308"}, status) {
			return Step{}, errors.New("STATUS must be 301, 302, 303, 307 or 308")
		}
		s.Code, s.Argument = code, rest
	}
	hidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if s.Argument == "" || strings.ContainsFunc(s.Argument, hidden) {
		return Step{}, errors.New(
			"URL must be visible ASCII characters; escape the others, comma and asterisk too")
	}
	if _, err := url.Parse(s.Argument); err != nil {
		return Step{}, fmt.Errorf("URL: %w", err)
	}
	return s, nil
}

func parsePositiveDuration(arguments string, given bool) (Step, error) {
	s, err := parseDuration(arguments, given)
	if err == nil && s.Duration == 0 {
		err = errors.New("DURATION must be more than 0")
	}
	return s, err
}

func parseDuration(arguments string, _ bool) (Step, error) {
	duration, err := time.ParseDuration(arguments)
	switch {
	case err != nil:
		err = fmt.Errorf("DURATION must be one such as 250ms, 2s or 1m30s: %w", err)
	case duration < 0:
		err = errors.New("DURATION must not be negative")
	}
	return Step{Duration: duration}, err
}

// maxNumber bounds counts and seconds: beyond it lie only mistakes.
const maxNumber = 1_000_000_000

// parseNumber reads a decimal number between least and most, without a sign and without leading
// zeros. The error begins with the name of the number.
func parseNumber(name, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text || n < least || n > most {
		return 0, fmt.Errorf("%s must be a whole number from %d to %d, not %q", name, least, most, text)
	}
	return n, nil
}
