package emulator

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// kind is what can be said of a step's name.
type kind struct {
	name      string
	arguments string   // as shown to people, with the colon
	targets   []target // nil: all
	About     string
	// parse reads the arguments, without the colon before them; given is false when there was no
	// colon.
	parse func(arguments string, given bool) (step, error)
}

// kinds are all of them, in the order in which they are listed.
func kinds() []kind {
	onlyToken, onlySubmission := []target{targetToken}, []target{targetSubmission}
	return []kind{
		{"pass", "", nil, "no fault", noArguments},
		{"status", ":CODE[:RETRY_AFTER]", nil, "answer with that status: 300 to 599 reject, 200 to 299 accept;\n" +
			"        RETRY_AFTER is whole seconds, or date+SECONDS to send it as a date", parseStatus},
		{"oauth", ":ERROR_CODE[:STATUS]", onlyToken,
			"reject with that OAuth error, with status 400 unless given", parseOAuth},
		{"html", "[:STATUS]", nil,
			"answer with a sign-in page, with status 200 unless given; nothing is accepted", parseHTML},
		{"html-as-json", "", nil, "the same page as application/json", noArguments},
		{"redirect", ":[STATUS:]URL", nil,
			"redirect there, with status 307 unless given; nothing is accepted", parseRedirect},
		{"hang", "", nil, "read the request and never answer; nothing is accepted", noArguments},
		{"reset-before", "", nil, "reset the connection before the body is read", noArguments},
		{"close-before", "", nil, "close the connection before the body is read", noArguments},
		{"reset-after", "", nil, "accept, then reset the connection without an answer", noArguments},
		{"close-after", "", nil, "accept, then close the connection without an answer", noArguments},
		{"delay", ":DURATION", nil, "accept, and hold the answer back that long", parsePositiveDuration},
		{"drip", ":DURATION", nil,
			"accept, and send the body byte by byte over that time", parsePositiveDuration},
		{"truncate", "", nil, "accept, and break the answer off in the middle of its body", noArguments},
		{"empty", "", nil, "accept, and answer with an empty body", noArguments},
		{"text", "", nil, "accept, and answer with text/plain (OK; for token the usual JSON)", noArguments},
		{"no-id", "", onlySubmission, "accept, and answer with JSON without notification_id", noArguments},
		{"bad-id", "", onlySubmission, "accept, and answer with a number as notification_id", noArguments},
		{"revoke", "", nil, "revoke all tokens, then handle the request as usual", noArguments},
		{"lifetime", ":DURATION", onlyToken,
			"issue a token with that lifetime; 0s: without expires_in", parseLifetime},
		{"wrong-type", "", onlyToken, "issue a token with token_type mac", noArguments},
		{"no-token", "", onlyToken, "answer with JSON without access_token", noArguments},
	}
}

func (k kind) suits(to target) bool {
	return k.targets == nil || slices.Contains(k.targets, to)
}

// form is the name with its arguments.
func (k kind) form() string { return k.name + k.arguments }

// Example is a step of that kind with arguments.
func (k kind) Example() string {
	return k.name + strings.NewReplacer(":CODE[:RETRY_AFTER]", ":503:1", ":ERROR_CODE[:STATUS]",
		":invalid_scope", ":[STATUS:]URL", ":/elsewhere", "[:STATUS]", ":503", ":DURATION", ":5s",
	).Replace(k.arguments)
}

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

//go:embed faults.txt
var faultSyntax string

// FaultUsage explains the text form of faults to people: lines of plain text, each ended by a
// newline.
func FaultUsage() string {
	var b strings.Builder
	b.WriteString(faultSyntax)
	for _, k := range kinds() {
		about := k.About
		if k.targets != nil {
			about += fmt.Sprintf(" (%s only)", k.targets[0])
		}
		fmt.Fprintf(&b, "  %s\n        %s\n", k.form(), about)
	}
	return b.String()
}
