package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

const (
	keyHeader = "Idempotency-Key"
	underOne  = anAnnouncement + `,"idempotency_key":"canary-one","triggers":{"a":"1"}`
)

// newKeyedWire is a provider and a service that recognises keys.
func newKeyedWire(t *testing.T) *wire {
	t.Helper()
	b := newBackend(t, func(c *emulator.Config) { c.IdempotencyKeyHeader = keyHeader })
	return b.wire(t, map[string]any{"idempotency_key_header": keyHeader})
}

// A key that could not be sent is an error in the plan, and before the request where the plan could
// not know it.
func TestKey_needsTheSetting(t *testing.T) {
	t.Parallel()
	const refused = "idempotency_key: ... NOTIFICATION_IDEMPOTENCY_KEY_HEADER"
	for name, test := range map[string]struct {
		key, setting any
		want         string
	}{
		"key and setting":   {"one", keyHeader, ""},
		"no key":            {nil, "", ""},
		"key alone":         {"one", nil, refused},
		"unknown key":       {tftypes.UnknownValue, nil, refused},
		"setting not known": {"one", tftypes.UnknownValue, ""},
	} {
		w := newBackend(t, nil).wire(t, map[string]any{"idempotency_key_header": test.setting})
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = test.key
		onlySays(t, name, w.planAny(t, nil, given).Diagnostics, test.want)
		onlySays(t, name+", action", w.planAction(t, given), test.want)
		w.sent(t, 0)
	}
}

func TestKey_validation(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	for key, valid := range map[string]bool{
		"a": true, "checkout/1.4.2~!": true, strings.Repeat("x", 255): true,
		"": false, "a b": false, " a": false, "a\n": false, "ä": false, "a\x7f": false,
		"a\xff": false, strings.Repeat("x", 256): false,
	} {
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = key
		found := described(t, w.validate(t, given))
		if (len(found) == 0) != valid || !valid && key != "" && strings.Contains(found[0], key) {
			t.Errorf("%q: %q", key, found)
		}
	}
}

// A replacement under the key of the old notification would notify nobody, so it is an error. What
// the provider cannot see, it does not refuse.
func TestKey_replacement(t *testing.T) {
	t.Parallel()
	const way = "undo this change and run: terraform apply -replace=ADDRESS"
	w := newKeyedWire(t)
	created := w.create(t, arguments(t, underOne+"}"))
	w.ClearLedger()
	for more, want := range map[string]string{
		``:                      "",
		`,"triggers":{"a":"2"}`: "idempotency_key: A new notification needs another idempotency key: ",
		`,"triggers":{"a":"?"}`: "idempotency_key: A new notification needs another idempotency key: ",
		`,"priority":"BATCH","resend_on_change":true`: "A change of priority, or a value",
		`,"priority":"BATCH"`: "Warning: ... change triggers, now or later ... change " +
			"idempotency_key too",
		`,"triggers":{"a":"2"},"idempotency_key":"two"`: "",
		`,"triggers":{"a":"2"},"idempotency_key":"?"`:   "",
		`,"triggers":{"a":"2"},"idempotency_key":null`:  "",
	} {
		p := w.planAny(t, created, arguments(t, underOne+more+"}"))
		onlySays(t, more, p.Diagnostics, want)
		if got := strings.Join(described(t, p.Diagnostics), ""); strings.Contains(got, "canary") ||
			says(way).MatchString(got) {
			t.Errorf("%s: quotes the key, or takes the notification for unconfirmed: %s", more, got)
		}
	}
	// An imported one may have been submitted under the key, and one that is unconfirmed, too.
	for state, want := range map[string]string{
		`"notification_id":"n-1"`: "may have been submitted under the same idempotency_key",
		`"confirmed":false`:       way,
	} {
		stored := &tfprotov6.ApplyResourceChangeResponse{NewState: w.resource(t, arguments(t,
			underOne+`,"resend_on_change":false,"delivery":"at_least_once",`+state+`}`))}
		p := w.planAny(t, stored, arguments(t, underOne+`,"triggers":{"a":"2"}}`))
		onlySays(t, state, p.Diagnostics, want)
	}
	w.sent(t, 0)
}

// A lost answer is fetched under the same key, and one that stays lost is kept as delivery says,
// with the ids of the first attempt.
func TestKey_lostAnswers(t *testing.T) {
	t.Parallel()
	const atMost = `,"delivery":"at_most_once"`
	for _, key := range []string{"", `,"idempotency_key":"canary-key"`} {
		for faults, more := range map[string]string{
			"reset-after": "", "reset-after,status:400": atMost,
		} {
			t.Run(faults+key, func(t *testing.T) {
				t.Parallel()
				w := newKeyedWire(t)
				if err := w.SetFaults(emulator.Faults{"submission": faults}); err != nil {
					t.Fatal(err)
				}
				resp := w.apply(t, anAnnouncement+more+key+"}")
				ledger := w.Ledger()
				if !w.isStored(t, resp) || ledger.SubmissionRequests != 2 ||
					len(ledger.Submissions) != 1 {
					t.Fatalf("after %d requests: %+v", ledger.SubmissionRequests, resp.Diagnostics)
				}
				first := ledger.Submissions[0]
				if more == "" {
					onlySays(t, faults, resp.Diagnostics, "")
					w.has(t, faults, resp.NewState,
						map[string]any{"notification_id": first.NotificationID})
					return
				}
				onlySays(t, faults, resp.Diagnostics, "Warning: Notification stored as "+
					"unconfirmed (request id ... request id "+first.RequestID)
				if strings.Contains(described(t, resp.Diagnostics)[0], "canary") {
					t.Errorf("the key is quoted: %+v", resp.Diagnostics)
				}
			})
		}
	}
}
