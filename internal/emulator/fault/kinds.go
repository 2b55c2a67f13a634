package fault

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is what the steps of one name have in common.
type kind struct {
	name      string
	arguments string // as people write them, with the colon; empty: it takes none
	about     string
	fault     Fault
	after     bool // NAME-after is the same, but serves the request first
	// parse adds what the arguments say, which come without the colon.
	parse func(f *Fault, arguments string) error
}

// signInPage is what a gateway shows to somebody who is not signed in.
//
//go:embed sign-in.html
var signInPage []byte

var html = Response{
	Status: http.StatusOK, ContentType: "text/html; charset=utf-8", Body: signInPage,
}

// kinds are all of them, in the order in which they are listed.
var kinds = []kind{
	{name: "pass", about: "no fault", fault: Fault{Serve: true}},
	{
		name: "status", arguments: ":CODE[:RETRY_AFTER]", after: true, parse: parseStatus,
		about: "respond with that status; RETRY_AFTER is whole seconds, or date+SECONDS",
	},
	{
		name: "html", after: true, fault: Fault{Respond: &html},
		about: "respond with a sign-in page and status 200",
	},
	{
		name: "json", arguments: ":BODY", after: true, parse: parseJSON,
		about: "respond with that JSON and status 200; must be the last step",
	},
	{
		name: "redirect", arguments: ":CODE:URL", after: true, parse: parseRedirect,
		about: "redirect to that URL",
	},
	{name: "hang", after: true, fault: Fault{End: Hang}, about: "never respond"},
	{name: "reset-before", fault: Fault{End: Reset}, about: "reset the connection at once"},
	{
		name: "reset-after", fault: Fault{Serve: true, End: Reset},
		about: "serve the request, then reset the connection",
	},
	{name: "close-before", fault: Fault{End: Close}, about: "close the connection at once"},
	{
		name: "close-after", fault: Fault{Serve: true, End: Close},
		about: "serve the request, then close the connection",
	},
	{
		name: "delay", arguments: ":DURATION", fault: Fault{Serve: true}, parse: parseDelay,
		about: "serve the request, and respond that much later",
	},
	{
		name: "truncate", fault: Fault{Serve: true, End: Truncate},
		about: "serve the request, and end the response in the middle of its body",
	},
	{
		name: "empty", fault: Fault{Serve: true, Respond: &Response{Body: []byte{}}},
		about: "serve the request, and respond with an empty body",
	},
	{
		name: "revoke", fault: Fault{Revoke: true, Serve: true},
		about: "revoke all tokens, then serve the request",
	},
}

// form is the name with its arguments, as people write it.
func (k kind) form() string {
	if k.after {
		return k.name + "[-after]" + k.arguments
	}
	return k.name + k.arguments
}

// Usage explains the text form of faults to people: lines of plain text, each ended by a newline.
func Usage() string {
	var b strings.Builder
	b.WriteString(`A fault is TARGET=STEP[*N][,STEP[*N]...][,repeat]. TARGET is token, submission or studies.
Each request takes one step, or *N of them do. After the last step requests pass,
or with repeat the sequence begins again. Steps:

`)
	for _, k := range kinds {
		fmt.Fprintf(&b, "  %s\n        %s\n", k.form(), k.about)
	}
	b.WriteString(`
A request that is not served is not accepted. With -after it is served first, and
what is right is accepted: status-after:500.
`)
	return b.String()
}

// parseFault reads a step without its count.
func parseFault(text string) (Fault, error) {
	name, arguments, given := strings.Cut(text, ":")
	for _, k := range kinds {
		f := k.fault
		if name == k.name+"-after" && k.after {
			f.Serve = true
		} else if name != k.name {
			continue
		}
		var err error
		switch {
		case k.parse != nil:
			err = k.parse(&f, arguments)
		case given:
			err = errors.New("takes no arguments")
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", k.form(), err)
		}
		return f, err
	}
	return Fault{}, fmt.Errorf("there is no %q", name)
}

func parseStatus(f *Fault, arguments string) (err error) {
	code, retryAfter, given := strings.Cut(arguments, ":")
	f.Respond = &Response{RetryAfter: retryAfter}
	if f.Respond.Status, err = parseNumber("CODE", code, 200, 599); err == nil && given {
		seconds, _ := cutDate(retryAfter)
		_, err = parseNumber("RETRY_AFTER", seconds, 0, maxNumber)
	}
	return err
}

func cutDate(retryAfter string) (seconds string, isDate bool) {
	return strings.CutPrefix(retryAfter, datePrefix)
}

func parseJSON(f *Fault, arguments string) error {
	if !json.Valid([]byte(arguments)) {
		return errors.New("BODY, which is the rest of the sequence, must be JSON")
	}
	f.Respond = &Response{
		Status: http.StatusOK, ContentType: "application/json", Body: []byte(arguments),
	}
	return nil
}

func parseRedirect(f *Fault, arguments string) error {
	code, location, _ := strings.Cut(arguments, ":")
	if !slices.Contains([]string{"301", "302", "303", "307", "308"}, code) {
		return errors.New("CODE must be 301, 302, 303, 307 or 308")
	}
	hidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if location == "" || strings.ContainsFunc(location, hidden) {
		return errors.New(
			"URL must be visible ASCII characters; escape the others, comma and asterisk too")
	}
	_, err := url.Parse(location)
	status, _ := strconv.Atoi(code) // is one of those
	f.Respond = &Response{Status: status, Location: location, Body: []byte{}}
	return err
}

func parseDelay(f *Fault, arguments string) (err error) {
	if f.Delay, err = time.ParseDuration(arguments); err != nil || f.Delay <= 0 {
		return errors.New("DURATION must be one such as 250ms, 2s or 1m30s, and more than 0")
	}
	return nil
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
