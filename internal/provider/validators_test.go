package provider

import (
	"strings"
	"testing"
)

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
