package acceptance

import (
	"encoding/json"
	"maps"
	"strings"
)

// This is the model: what the documentation of notification_notification promises, and how
// Terraform uses the resource. The walk is in walk_test.go.

// settings are arguments by name, in JSON, which is valid HCL too. A missing one is null.
type settings map[string]string

// configuration is what a user writes.
type configuration struct {
	settings
	secret              string // in fields_wo of the last channel; empty: none
	ignore              string // ignore_changes; empty: none
	createBeforeDestroy bool
}

// object is a notification in the state.
type object struct {
	settings
	id, submittedAt   string
	submitted         settings // nil after an import: what was submitted is not known
	edited            bool     // in place, since it was submitted
	imported, tainted bool     // imported: not applied since
	unconfirmed       bool     // submitted, with an unknown outcome
}

// attributes are the attributes in the state that are not null; none for a nil object.
func (o *object) attributes() map[string]any {
	if o == nil {
		return nil
	}
	attributes := map[string]any{"as_submitted": o.asSubmitted(), "tainted": o.tainted}
	if o.submitted != nil {
		attributes["confirmed"] = !o.unconfirmed
	}
	for name, text := range o.settings {
		attributes[name] = decoded(text)
	}
	for name, text := range map[string]string{
		"id": o.id, "notification_id": o.id, "submitted_at": o.submittedAt,
	} {
		if text != "" {
			attributes[name] = text
		}
	}
	return attributes
}

func (o *object) asSubmitted() bool { return o.submitted != nil && !o.edited }

// action is what a plan announces, as Terraform calls it.
type action string

const (
	none     action = ""
	created  action = "created"
	updated  action = "updated in-place"
	replaced action = "replaced"
)

// planned is an action, and the arguments in the state after it.
type planned struct {
	action
	settings
	warns bool // about a change that is not sent
}

func (p planned) sends() bool { return p.action == created || p.action == replaced }

// plan returns the plan for an object, which is nil if there is none. replace is for -replace.
//
// ignore_changes applies to updates only. Terraform plans a replacement from the configuration as
// it is written, and a tainted object as if it did not exist.
func plan(o *object, config configuration, replace bool) planned {
	written := withDefaults(config.settings)
	switch {
	case o == nil:
		return planned{action: created, settings: written}
	case o.tainted:
		return planned{action: replaced, settings: written}
	}
	next := withDefaults(ignoring(config, o.settings))
	// Both are required, so they are null only after an import. Filling them in is not a change.
	edited := func(name string) bool {
		return o.settings[name] != "" && o.settings[name] != next[name]
	}
	content := edited("channels") || edited("priority")
	filledIn := func(name string) bool { return o.settings[name] == "" && next[name] != "" }
	// Triggers are filled in together with required arguments. If only the triggers are null, the
	// provider cannot tell whether there were none or whether they were ignored: new ones submit.
	triggers := entries(o.settings["triggers"]) != entries(next["triggers"])
	if filledIn("triggers") && (filledIn("channels") || filledIn("priority")) {
		triggers = false
	}
	changed := triggers || content && next["resend_on_change"] == "true"
	switch {
	case replace, changed && !o.imported:
		return planned{action: replaced, settings: written}
	case maps.Equal(next, o.settings):
		return planned{action: none, settings: next}
	}
	return planned{action: updated, settings: next, warns: content}
}

// apply returns the object after the apply, or nil. The outcome matters only if p submits.
func (p planned) apply(o *object, createBeforeDestroy bool, got outcome) *object {
	switch {
	case p.action == none:
		return o
	case p.action == updated:
		after := *o
		after.settings, after.imported, after.edited = p.settings, false, o.edited || p.warns
		return &after
	case p.fails(got) && createBeforeDestroy:
		return o
	case p.fails(got):
		return nil
	}
	return &object{settings: p.settings, submitted: p.settings, unconfirmed: got == ambiguous}
}

// fails reports whether the apply of p fails with this outcome.
func (p planned) fails(got outcome) bool {
	return got == rejected || got == ambiguous && p.settings["delivery"] != `"at_most_once"`
}

// withDefaults adds the defaults. An import leaves them null, so the next apply always has
// something to fill in.
func withDefaults(config settings) settings {
	config = maps.Clone(config)
	if config["resend_on_change"] == "" {
		config["resend_on_change"] = "false"
	}
	if config["delivery"] == "" {
		config["delivery"] = `"at_least_once"`
	}
	return config
}

// ignoring is the configuration that the provider receives for an update.
func ignoring(config configuration, state settings) settings {
	seen := maps.Clone(config.settings)
	for name := range values() {
		if config.ignore != "all" && !strings.Contains(config.ignore, name) {
			continue
		}
		delete(seen, name)
		if value, ok := state[name]; ok {
			seen[name] = value
		}
	}
	return seen
}

// entries are the entries of triggers; null and empty triggers have none.
func entries(triggers string) string { return strings.TrimPrefix(triggers, "{}") }

// body is the body of a submission.
func (c configuration) body() any {
	channels := decoded(c.settings["channels"]).([]any)
	if c.secret != "" {
		last := channels[len(channels)-1].(map[string]any)
		last["fields"].(map[string]any)["pin"] = c.secret
	}
	return map[string]any{"channels": channels, "priority": decoded(c.settings["priority"])}
}

func decoded(text string) (value any) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return err // equal to nothing else
	}
	return value
}

// outcome is how a submission ends for Terraform.
type outcome int

const (
	stored outcome = iota
	storedWithoutID
	rejected
	ambiguous
)

// fault is a sequence of faults of the emulator, and what a submission that meets it results in.
type fault struct {
	sequence            string
	submissions, tokens int // requests
	outcome
}

func faults() []fault {
	return []fault{
		{"status:422", 1, 1, rejected},
		{"redirect:307:http://localhost/", 1, 1, rejected},
		{"html", 1, 1, rejected},
		{"status:401", 2, 2, stored},
		{"revoke", 2, 2, stored},
		{"status:401*2", 2, 2, rejected},
		{"status:425:0", 2, 1, stored}, // retryable
		{"status:429:0", 2, 1, stored},
		{"status:503:0*2", 3, 1, stored},
		{"status:429:0*5", 5, 1, rejected},
		{"status:500", 1, 1, ambiguous},
		{"status:503", 1, 1, ambiguous},
		{"status:504", 1, 1, ambiguous},
		{"reset-after", 1, 1, ambiguous},
		{"status:429:0,close-after", 2, 1, ambiguous},
		{"status-after:202", 1, 1, stored}, // accepted
		{"status-after:204", 1, 1, storedWithoutID},
		{`json-after:{"status":"accepted"}`, 1, 1, storedWithoutID},
		{"empty", 1, 1, storedWithoutID},
		{"truncate", 1, 1, storedWithoutID},
	}
}
