package wire

import (
	"strings"
	"testing"
)

func TestParseTrace(t *testing.T) {
	t.Parallel()
	const traceID, parentID = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
	const valid = "00-" + traceID + "-" + parentID + "-01"
	newer := "cc" + valid[2:] // of a later version
	for value, want := range map[string]Trace{
		valid:                                    {ID: traceID, Flags: 1},
		"00-" + traceID + "-" + parentID + "-03": {ID: traceID, Flags: 1},
		"00-" + traceID + "-" + parentID + "-fe": {ID: traceID},
		newer:                                    {ID: traceID, Flags: 1},
		newer + "-more-of":                       {ID: traceID, Flags: 1},
	} {
		got, err := ParseTrace(value)
		if got != want || err != nil {
			t.Errorf("%q: %+v, %v", value, got, err)
		}
		if again, err := ParseTrace(got.traceparent(parentID)); again != want || err != nil {
			t.Errorf("%s became %s", value, got.traceparent(parentID))
		}
	}
	for _, value := range []string{
		"", valid + "-", " " + valid, valid + "\n", newer + "x", "ff" + valid[2:],
		"00-" + traceID[1:] + "-" + parentID + "-01", "00-" + traceID + "-" + parentID[1:] + "-01",
		strings.ToUpper(valid), strings.Replace(valid, traceID, strings.Repeat("0", 32), 1),
		strings.Replace(valid, parentID, strings.Repeat("0", 16), 1),
	} {
		if got, err := ParseTrace(value); got != (Trace{}) || err == nil {
			t.Errorf("%q: %+v, %v", value, got, err)
		}
	}
}
