package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

// An idempotency key without idempotency_key_header is an error, in the plan and before a request.
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
		s := newBackend(t, emulator.Config{}).configure(t, map[string]any{"idempotency_key_header": test.setting})
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = test.key
		planned := s.plan(t, nil, given)
		onlySays(t, name, planned.Diagnostics, test.want)
		onlySays(t, name+", action", s.planAction(t, given), test.want)
		if test.key == "one" && test.want == refused {
			onlySays(t, name+", applied", s.apply(t, planned).Diagnostics, test.want)
			_, invoked := s.invoke(t.Context(), t, given)
			onlySays(t, name+", invoked", invoked.Diagnostics, test.want)
		}
		s.sent(t, 0)
	}
}

func TestKey_isWhatAnyHeaderCanCarry(t *testing.T) {
	t.Parallel()
	for key, valid := range map[string]bool{
		"a": true, "checkout/1.4.2~!": true, strings.Repeat("x", 255): true,
		"": false, "a b": false, " a": false, "a\n": false, "ä": false, "a\x7f": false,
		"a\xff": false, strings.Repeat("x", 256): false,
	} {
		if got, _ := validKey().check(key); got != valid {
			t.Errorf("%q: %t", key, got)
		}
	}
}
