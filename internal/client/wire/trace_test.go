package wire

import (
	"strings"
	"testing"
)

func TestParseTrace(t *testing.T) {
	t.Parallel()
	const traceID, parentID = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
	const valid = "00-" + traceID + "-" + parentID + "-01"
	for value, want := range map[string]Trace{
		valid:                                            {ID: traceID, Flags: 1},
		"00-" + traceID + "-" + parentID + "-00":         {ID: traceID},
		"00-" + traceID + "-" + parentID + "-fe":         {ID: traceID},
		"00-" + traceID + "-" + parentID + "-ff":         {ID: traceID, Flags: 1},
		"00-" + traceID + "-" + parentID + "-09":         {ID: traceID, Flags: 1},
		"cc-" + traceID + "-" + parentID + "-01":         {ID: traceID, Flags: 1},
		"cc-" + traceID + "-" + parentID + "-01-more-of": {ID: traceID, Flags: 1},
		valid + "-": {}, valid + " ": {}, " " + valid: {}, valid + "\n": {}, valid[3:]: {}, "": {},
		"x": {},
		"cc-" + traceID + "-" + parentID + "-01x":                 {},
		"ff-" + traceID + "-" + parentID + "-01":                  {},
		"00-" + traceID + "-" + parentID + "-0g":                  {},
		"00-" + traceID + "-" + parentID + "-1":                   {},
		"00-" + traceID[1:] + "-" + parentID + "-01":              {},
		"00-" + traceID + "-" + parentID[1:] + "-01":              {},
		"00-" + strings.ToUpper(traceID) + "-" + parentID + "-01": {},
		"00-" + strings.Repeat("0", 32) + "-" + parentID + "-01":  {},
		"00-" + traceID + "-" + strings.Repeat("0", 16) + "-01":   {},
	} {
		got, err := ParseTrace(value)
		if got != want || (err != nil) != (want == Trace{}) {
			t.Errorf("%q: %+v, %v", value, got, err)
		}
		if err != nil {
			continue
		}
		if again, err := ParseTrace(got.traceparent(parentID)); again != want || err != nil {
			t.Errorf("%s became %s", value, got.traceparent(parentID))
		}
	}
}
