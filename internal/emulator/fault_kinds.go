package emulator

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

// kind is what can be said of a step's name.
type kind struct {
	name      string
	arguments string   // as shown to people, with the colon
	targets   []target // nil: all
	// parse reads the arguments, without the colon before them; given is false when there was no
	// colon. Nil: there are no arguments.
	parse func(arguments string, given bool) (step, error)
}

// kinds are all of them, in the order in which they are listed.
func kinds() []kind {
	onlyToken, onlySubmission := []target{targetToken}, []target{targetSubmission}
	return []kind{
		{"pass", "", nil, nil},
		{"status", ":CODE[:RETRY_AFTER]", nil, parseStatus},
		{"oauth", ":ERROR_CODE[:STATUS]", onlyToken, parseOAuth},
		{"html", "[:STATUS]", nil, parseHTML},
		{"html-as-json", "", nil, nil},
		{"redirect", ":[STATUS:]URL", nil, parseRedirect},
		{"hang", "", nil, nil},
		{"reset-before", "", nil, nil},
		{"close-before", "", nil, nil},
		{"reset-after", "", nil, nil},
		{"close-after", "", nil, nil},
		{"delay", ":DURATION", nil, parsePositiveDuration},
		{"drip", ":DURATION", nil, parsePositiveDuration},
		{"truncate", "", nil, nil},
		{"empty", "", nil, nil},
		{"text", "", nil, nil},
		{"no-id", "", onlySubmission, nil},
		{"bad-id", "", onlySubmission, nil},
		{"revoke", "", nil, nil},
		{"lifetime", ":DURATION", onlyToken, parseLifetime},
		{"wrong-type", "", onlyToken, nil},
		{"no-token", "", onlyToken, nil},
	}
}

func (k kind) suits(to target) bool { return k.targets == nil || slices.Contains(k.targets, to) }

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
	for _, k := range kinds() {
		if k.name == name && k.suits(to) {
			return k, true
		}
	}
	return kind{}, false
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
var faultUsage string

// FaultUsage explains the text form of faults to people: lines of plain text, each ended by a
// newline.
func FaultUsage() string { return faultUsage }

// nextStep is where the text about a step ends.
var nextStep = regexp.MustCompile(`\n  \S`)

// About is what FaultUsage says of the kind.
func (k kind) About() string {
	_, about, _ := strings.Cut(faultUsage, "\n  "+k.form()+"\n")
	return strings.TrimSpace(nextStep.Split(about, 2)[0])
}
