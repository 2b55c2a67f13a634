package emulator

import (
	"fmt"
	"slices"
	"strings"
)

// kind is what can be said of a step's name.
type kind struct {
	name      string
	arguments string   // as shown to people, with the colon
	targets   []target // nil: all
	about     string
	// parse reads the arguments, without the colon before them; given is false
	// when there was no colon.
	parse func(arguments string, given bool) (step, error)
}

// kinds are all of them, in the order in which they are listed.
func kinds() []kind {
	onlyToken, onlySubmission := []target{toToken}, []target{toSubmission}
	return []kind{
		{faultPass, "", nil, "no fault", noArguments},
		{faultStatus, ":CODE[:RETRY_AFTER]", nil,
			"answer with that status: 300 to 599 refuse, 200 to 299 accept; RETRY_AFTER is whole seconds, or date+SECONDS to send it as a date", parseStatus},
		{faultOAuth, ":ERROR_CODE[:STATUS]", onlyToken, "refuse with that OAuth error, with status 400 unless given", parseOAuth},
		{faultHTML, "[:STATUS]", nil, "answer with a sign-in page, with status 200 unless given; nothing is accepted", parseHTML},
		{faultHTMLAsJSON, "", nil, "the same page as application/json", noArguments},
		{faultRedirect, ":[STATUS:]URL", nil, "redirect there, with status 307 unless given; nothing is accepted", parseRedirect},
		{faultHang, "", nil, "read the request and never answer; nothing is accepted", noArguments},
		{faultResetBefore, "", nil, "reset the connection before the body is read", noArguments},
		{faultCloseBefore, "", nil, "close the connection before the body is read", noArguments},
		{faultResetAfter, "", nil, "accept, then reset the connection without an answer", noArguments},
		{faultCloseAfter, "", nil, "accept, then close the connection without an answer", noArguments},
		{faultDelay, ":DURATION", nil, "accept, and hold the answer back that long", parsePositiveDuration},
		{faultDrip, ":DURATION", nil, "accept, and send the body byte by byte over that time", parsePositiveDuration},
		{faultTruncate, "", nil, "accept, and break the answer off in the middle of its body", noArguments},
		{faultEmpty, "", nil, "accept, and answer with an empty body", noArguments},
		{faultText, "", nil, "accept, and answer with text/plain (OK; for token the usual JSON)", noArguments},
		{faultNoID, "", onlySubmission, "accept, and answer with JSON without notification_id", noArguments},
		{faultBadID, "", onlySubmission, "accept, and answer with a number as notification_id", noArguments},
		{faultRevoke, "", nil, "revoke all tokens, then handle the request as usual", noArguments},
		{faultLifetime, ":DURATION", onlyToken, "issue a token with that lifetime; 0s: without expires_in", parseLifetime},
		{faultWrongType, "", onlyToken, "issue a token with token_type mac", noArguments},
		{faultNoToken, "", onlyToken, "answer with JSON without access_token", noArguments},
	}
}

func (k kind) suits(to target) bool {
	return k.targets == nil || slices.Contains(k.targets, to)
}

// form is the name with its arguments.
func (k kind) form() string { return k.name + k.arguments }

// kindFor returns the kind of that name among those for the target.
func kindFor(to target, name string) (kind, bool) {
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name && k.suits(to) })
	if i < 0 {
		return kind{}, false
	}
	return all[i], true
}

// validFor lists the forms that steps for the target can have.
func validFor(to target) string {
	var forms []string
	for _, k := range kinds() {
		if k.suits(to) {
			forms = append(forms, k.form())
		}
	}
	return strings.Join(forms, ", ")
}

// FaultUsage explains the text form of faults to people: lines of plain text,
// each ended by a newline.
func FaultUsage() string {
	var b strings.Builder
	b.WriteString(`A fault is TARGET=SEQUENCE, where TARGET is token, submission or studies and

  SEQUENCE := STEP {"," STEP} [",repeat"]
  STEP     := NAME {":" ARGUMENT} ["*" COUNT]

Each request takes one step. After the last one requests pass, or with repeat
the sequence starts over. The steps:

`)
	for _, k := range kinds() {
		about := k.about
		if k.targets != nil {
			about += fmt.Sprintf(" (%s only)", k.targets[0])
		}
		fmt.Fprintf(&b, "  %s\n        %s\n", k.form(), about)
	}
	return b.String()
}
