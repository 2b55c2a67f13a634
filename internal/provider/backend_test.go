package provider

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

const (
	testSecret = "canary-client-secret"
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
	emulated.ClientID, emulated.ClientSecret = "id", testSecret
	emulated.TokenLifetime = time.Hour
	emulated.IdempotencyKeyHeader = keyHeader // submissions without a key are accepted too
	e, url := emulatortest.Serve(t, emulated)
	b := &backend{Emulator: e, url: url}
	nothing := b.submitted(t, 0)
	t.Cleanup(func() {
		if !t.Failed() { // a step that failed was not counted
			nothing()
		}
	})
	return b
}

// submitted returns a function that checks that so many submissions arrived since the last check,
// with one token request. Without a submission, there must have been no request at all.
func (b *backend) submitted(t testing.TB, submissions int) func() {
	at := caller()
	return func() {
		want := slices.Repeat([]string{"submission"}, submissions)
		if submissions > 0 {
			want = append(want, "token")
		}
		if got := b.requests(); !slices.Equal(got, want) {
			t.Errorf("%s: since the last check the service received %q, want %q", at, got, want)
		}
	}
}

// received returns a function that checks that requests to these targets, sorted, arrived since the
// last check, each at least once, and no others.
func (b *backend) received(t *testing.T, targets ...string) func() {
	at := caller()
	return func() {
		if got := slices.Compact(b.requests()); !slices.Equal(got, targets) {
			t.Errorf("%s: since the last check the service received %q, want %q", at, got, targets)
		}
	}
}

// requested checks that exactly these requests arrived since the last check. Their targets are
// sorted.
func (b *backend) requested(t *testing.T, targets ...string) {
	t.Helper()
	if got := b.requests(); !slices.Equal(got, targets) {
		t.Fatalf("since the last check the service received %q, want %q", got, targets)
	}
}

// sent checks that want notifications were accepted since the last check, each by one request. If
// want is 0, there must have been no request at all.
func (b *backend) sent(t *testing.T, want int) {
	t.Helper()
	ledger := b.Ledger()
	if len(ledger.Submissions) != want || ledger.SubmissionRequests != want ||
		ledger.OtherRequests != 0 || want == 0 && len(ledger.Requests) != 0 {
		t.Errorf("%d notifications by %d of %d requests, want %d", len(ledger.Submissions),
			ledger.SubmissionRequests, len(ledger.Requests), want)
	}
	b.ClearLedger()
}

// submittedBody returns a function that checks what submitted does, and that each body is want.
func (b *backend) submittedBody(t *testing.T, submissions int, want string) func() {
	arrived := b.submitted(t, submissions)
	return func() {
		for _, submission := range b.Ledger().Submissions {
			if got := string(submission.Body); got != want {
				t.Errorf("the service received %s, want %s", got, want)
			}
		}
		arrived()
	}
}

// caller returns the line of the test that called submitted or received, perhaps through a function
// of its own: a failed check is one of many, and runs long after its step was written.
func caller() (line string) {
	stack := make([]uintptr, 4)
	frames := runtime.CallersFrames(stack[:runtime.Callers(3, stack)])
	for frame, ok := frames.Next(); ok && strings.HasSuffix(frame.File, "_test.go"); {
		line = fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		frame, ok = frames.Next()
	}
	return line
}

// requests returns the sorted targets of all requests since the last call.
func (b *backend) requests() (targets []string) {
	for _, request := range b.Ledger().Requests {
		targets = append(targets, request.Target)
	}
	b.ClearLedger()
	slices.Sort(targets)
	return targets
}
