package acceptance

import "slices"

// This is the model of the walk in walk_test.go: what the documentation of
// notification_notification promises.

// held is a notification that the state holds.
type held struct {
	config      map[string]string // as last applied; nil: not since the import
	id          string            // empty: null
	confirmed   any               // true or false; nil after an import
	asSubmitted bool
	tainted     bool
}

// plan is what a plan announces, as Terraform calls it, and what is said of it.
type plan struct {
	action       string
	sends, warns bool
}

// documented is the plan that the documentation promises, in the order of the table "What sends it,
// and what does not" of the guide Announcing deployments.
func (w *walk) documented(replace bool) plan {
	const created, updated, replaced = "created", "updated in-place", "replaced"
	changed := func(names ...string) bool {
		return slices.ContainsFunc(names,
			func(name string) bool { return w.config[name] != w.state.config[name] })
	}
	// Adding or removing triggers is a change of them, unless they are empty.
	stayEmpty := func() bool {
		empty := []string{"null", "{}"}
		return slices.Contains(empty, w.config["triggers"]) &&
			slices.Contains(empty, w.state.config["triggers"])
	}
	switch {
	case w.state == nil:
		return plan{created, true, false}
	case replace, w.state.tainted:
		return plan{replaced, true, false}
	case w.state.config == nil: // the apply after an import fills in the arguments
		return plan{updated, false, false}
	case changed("triggers") && !stayEmpty():
		return plan{replaced, true, false}
	case changed("channels", "priority") && w.config["resend_on_change"] == "true":
		return plan{replaced, true, false}
	case changed("channels", "priority"):
		return plan{updated, false, true}
	case changed("triggers", "resend_on_change", "delivery", "timeouts"):
		return plan{updated, false, false}
	}
	return plan{}
}

// attributes are those that the state must have; none for nil.
func (h *held) attributes() map[string]any {
	if h == nil {
		return nil
	}
	var id any
	if h.id != "" {
		id = h.id
	}
	return map[string]any{
		"id": id, "notification_id": id, "confirmed": h.confirmed, "as_submitted": h.asSubmitted,
		"has submitted_at": h.confirmed != nil, "tainted": h.tainted,
	}
}
