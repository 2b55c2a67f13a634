//go:build unsent

package client

// unsent makes SubmitNotification return at once, as if the service had accepted the notification.
// The benchmark compares the provider with such a build of itself, to see what sending costs. It is
// the only one to set the tag: no release is built with it.
const unsent = true
