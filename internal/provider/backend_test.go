package provider

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
)

const (
	testSecret = emulatortest.ClientSecret
	keyHeader  = "Idempotency-Key"
)

// backend is an emulator on a loopback port.
type backend struct {
	*emulator.Emulator

	url string
}

// newBackend starts an emulator. After the test, it checks that nothing was sent that the test did
// not count, as by the destroy.
func newBackend(t testing.TB, emulated emulator.Config) *backend {
	t.Helper()
	emulated.IdempotencyKeyHeader = keyHeader // submissions without a key are accepted too
	e, server := emulatortest.New(t, emulated)
	b := &backend{Emulator: e, url: emulatortest.Serve(t, e, server)}
	t.Cleanup(func() {
		if !t.Failed() { // a step that failed was not counted
			b.requested(t)
		}
	})
	return b
}

// requestCheck is a state check of what the service received, so that the framework names the step
// in which it fails.
type requestCheck func() error

func (c requestCheck) CheckState(
	_ context.Context, _ statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse,
) {
	resp.Error = c()
}

// received checks that requests to exactly these targets, sorted, arrived since the last check. It
// is the last check of a step, and counts the plans that follow the previous one.
func (b *backend) received(targets ...string) requestCheck {
	return func() error {
		var got []string
		for _, request := range b.Ledger().Requests {
			got = append(got, request.Target)
		}
		b.ClearLedger()
		if slices.Sort(got); !slices.Equal(got, targets) {
			return fmt.Errorf("since the last check the service received %q, want %q", got, targets)
		}
		return nil
	}
}

// submitted checks that so many submissions arrived since the last check, with one token request.
// Without a submission, there must have been no request at all.
func (b *backend) submitted(submissions int) requestCheck {
	if submissions == 0 {
		return b.received()
	}
	return b.received(append(slices.Repeat([]string{"submission"}, submissions), "token")...)
}

// content checks that each submission since the last check has this body, and this idempotency key,
// which is empty for none.
func (b *backend) content(body, key string) requestCheck {
	return func() error {
		for _, submission := range b.Ledger().Submissions {
			if got := string(submission.Body); got != body {
				return fmt.Errorf("the service received %s, want %s", got, body)
			}
			if got := submission.IdempotencyKey; got != key {
				return fmt.Errorf("the service received the key %q, want %q", got, key)
			}
		}
		return nil
	}
}

// requested checks that exactly these requests arrived since the last check. Their targets are
// sorted.
func (b *backend) requested(t testing.TB, targets ...string) {
	t.Helper()
	if err := b.received(targets...)(); err != nil {
		t.Fatal(err)
	}
}
