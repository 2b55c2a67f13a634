package acceptance

import "slices"

// The model of the walk in walk_test.go: the documented behaviour of notification_notification.

// walkState is a notification in the state. A nil attribute is null.
type walkState struct{ id, confirmed, asSubmitted any }

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
			func(name string) bool { return w.config[name] != w.applied[name] })
	}
	// Adding or removing triggers is a change, unless they are empty.
	stayEmpty := func() bool {
		empty := []string{"null", "{}"}
		return slices.Contains(empty, w.config["triggers"]) &&
			slices.Contains(empty, w.applied["triggers"])
	}
	switch {
	case w.state == nil:
		return plan{created, true, false}
	case replace:
		return plan{replaced, true, false}
	case w.applied == nil: // the apply after an import fills in the arguments
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
