package provider

import (
	"testing"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/wire"
)

// If the time is used up although the service responded, no retry would have helped. The golden
// file has all other hints.
func TestHint_outOfTimeAfterAResponse(t *testing.T) {
	t.Parallel()
	const want = "The service limits the rate of requests. Lower -parallelism. Raise it."
	failed := client.Error{Operation: client.LookUpStudies, Status: 429, Stopped: wire.TimedOut}
	if got := hint(&failed, "Raise it."); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
