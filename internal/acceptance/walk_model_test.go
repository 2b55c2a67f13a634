package acceptance

import "slices"

// The model of the walk in walk_test.go: the documented behaviour of notification_notification.

// walkState is a notification in the state.
type walkState struct {
	config      map[string]string // as last applied; nil: not applied since the import
	id          string            // empty: null
	confirmed   any               // true or false; nil after an import
	asSubmitted bool
	tainted     bool
}

// plan is the announced action, as Terraform names it, and whether the notification is sent, or a
// warning printed.
type plan struct {
	action       string
	sends, warns bool
}

// documented returns the documented plan, in the order of the table "What sends it, and what does
// not" of the guide Announcing deployments.
func (w *walk) documented(replace bool) plan {
	const created, updated, replaced = "created", "updated in-place", "replaced"
	changed := func(names ...string) bool {
		return slices.ContainsFunc(names,
			func(name string) bool { return w.config[name] != w.state.config[name] })
	}
	// Adding or removing triggers is a change, unless they are empty.
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

// attributes returns the attributes that the state must have; nil for no notification.
func (s *walkState) attributes() map[string]any {
	if s == nil {
		return nil
	}
	var id any
	if s.id != "" {
		id = s.id
	}
	return map[string]any{
		"id": id, "notification_id": id, "confirmed": s.confirmed, "as_submitted": s.asSubmitted,
		"has submitted_at": s.confirmed != nil, "tainted": s.tainted,
	}
}
