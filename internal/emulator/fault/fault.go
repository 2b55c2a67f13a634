// Package fault parses sequences of faults, and hands them out one request at a time. It only
// describes faults; the emulator applies them.
package fault

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault describes how the emulator treats one request. The members after Text apply in order.
type Fault struct {
	Text   string // of the step, without the count; "pass": there is no fault
	Revoke bool   // revoke all tokens
	Serve  bool   // handle the request, and so accept a valid submission

	Status      int    // of the response; 0: the normal one
	HeaderName  string // of a header field that is added; empty: none
	HeaderValue string
	Body        []byte // nil: the endpoint's usual body for the status

	Delay    time.Duration // before the response
	Truncate bool          // close the connection in the middle of the body
	Reset    bool          // instead of a response
	Hang     bool          // without a response, until the client disconnects
}

// kind describes the steps with one name.
type kind struct {
	name      string
	arguments string // as in the usage text; empty: none
	about     string
	after     bool // NAME-after exists too, and serves the request first
	fault     Fault
	parse     func(f *Fault, arguments string) error // applies the arguments; nil: there are none
}

// usage returns NAME[-after][:ARGUMENTS].
func (k kind) usage() string {
	text := k.name
	if k.after {
		text += "[-after]"
	}
	if k.arguments != "" {
		text += ":" + k.arguments
	}
	return text
}

// signInPage is an HTML page as a gateway sends it to a client that is not signed in.
//
//go:embed sign-in.html
var signInPage []byte

// kinds lists all kinds of steps in the order of the usage text.
var kinds = []kind{
	{name: "pass", about: "no fault", fault: Fault{Serve: true}},
	{name: "status", arguments: "CODE[:RETRY_AFTER]", after: true, parse: parseStatus,
		about: "that status, and Retry-After"},
	{name: "html", after: true, about: "a sign-in page with status 200",
		fault: Fault{Status: http.StatusOK, HeaderName: "Content-Type",
			HeaderValue: "text/html; charset=utf-8", Body: signInPage}},
	{name: "json", arguments: "[CODE:]BODY", after: true, parse: parseJSON,
		about: "that JSON with 200 or CODE; must be the last step"},
	{name: "redirect", arguments: "CODE:URL", after: true, parse: parseRedirect,
		about: "a redirect to that URL"},
	{name: "hang", after: true, about: "no response", fault: Fault{Hang: true}},
	{name: "reset-before", about: "reset the connection", fault: Fault{Reset: true}},
	{name: "reset-after", about: "serve, then reset it", fault: Fault{Serve: true, Reset: true}},
	{name: "delay", arguments: "DURATION", parse: parseDelay, about: "serve, and respond that late",
		fault: Fault{Serve: true}},
	{name: "truncate", about: "serve, and cut the body in half",
		fault: Fault{Serve: true, Truncate: true}},
	{name: "empty", about: "serve, and send an empty body",
		fault: Fault{Serve: true, Body: []byte{}}},
	{name: "revoke", about: "revoke all tokens, then serve", fault: Fault{Revoke: true, Serve: true}},
}

// Usage returns the help on faults: lines of plain text, each with a newline.
func Usage(targets []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `A fault is TARGET=STEP[*N][,STEP[*N]...][,repeat]. Each request to TARGET takes one step,
or *N of them do. After the last step requests pass, or with repeat the sequence begins
again. Targets: %s. Steps:

`, strings.Join(targets, ", "))
	for _, k := range kinds {
		fmt.Fprintf(&b, "  %-36s%s\n", k.usage(), k.about)
	}
	b.WriteString(`
With -after, as in status-after:500, the emulator serves the request first, and accepts
a valid submission. A request that it does not serve is not accepted.
`)
	return b.String()
}

// parseFault parses a step without its count.
func parseFault(text string) (f Fault, err error) {
	name, arguments, given := strings.Cut(text, ":")
	after := func(k kind) bool { return k.after && name == k.name+"-after" }
	i := slices.IndexFunc(kinds, func(k kind) bool { return name == k.name || after(k) })
	if i < 0 {
		return f, fmt.Errorf("there is no %q", name)
	}
	k := kinds[i]
	f = k.fault
	f.Text = text
	f.Serve = f.Serve || after(k) // some kinds always serve the request
	switch {
	case k.parse != nil:
		err = k.parse(&f, arguments)
	case given:
		err = errors.New("takes no arguments")
	}
	return f, err
}

func parseStatus(f *Fault, arguments string) (err error) {
	code, seconds, given := strings.Cut(arguments, ":")
	if f.Status, err = parseNumber("CODE", code, 200, 599); err == nil && given {
		f.HeaderName, f.HeaderValue = "Retry-After", seconds
		_, err = parseNumber("RETRY_AFTER", seconds, 0, math.MaxInt32)
	}
	return err
}

func parseJSON(f *Fault, arguments string) (err error) {
	f.Status = http.StatusOK
	// No JSON begins with digits and a colon.
	code, body, found := strings.Cut(arguments, ":")
	if found && strings.Trim(code, "0123456789") == "" {
		f.Status, err = parseNumber("CODE", code, 200, 599)
		arguments = body
	}
	if err == nil && !json.Valid([]byte(arguments)) {
		err = errors.New("BODY, which is the rest of the sequence, must be JSON")
	}
	f.Body = []byte(arguments)
	f.HeaderName, f.HeaderValue = "Content-Type", "application/json"
	return err
}

func parseRedirect(f *Fault, arguments string) error {
	code, location, _ := strings.Cut(arguments, ":")
	f.Status, _ = strconv.Atoi(code)
	if !slices.Contains([]int{301, 302, 303, 307, 308}, f.Status) || location == "" {
		return errors.New("CODE must be 301, 302, 303, 307 or 308, and URL not empty; a comma or an " +
			"asterisk in it must be escaped")
	}
	f.HeaderName, f.HeaderValue, f.Body = "Location", location, []byte{}
	return nil
}

func parseDelay(f *Fault, arguments string) (err error) {
	if f.Delay, err = time.ParseDuration(arguments); err != nil || f.Delay <= 0 {
		return errors.New("DURATION must be one such as 250ms, 2s or 1m30s, and more than 0")
	}
	return nil
}

// parseNumber parses a decimal number. The error begins with name.
func parseNumber(name, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most || strconv.Itoa(n) != text { // not +5 or 05
		err = fmt.Errorf("%s must be a whole number from %d to %d, not %q", name, least, most, text)
	}
	return n, err
}
