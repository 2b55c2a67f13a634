//go:build !unsent

package client

// unsent is whether SubmitNotification leaves out its request; see unsent.go.
const unsent = false
