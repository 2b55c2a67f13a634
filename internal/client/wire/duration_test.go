package wire

import (
	"testing"
	"time"
)

func TestFormatDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		10 * time.Minute:            "10 minutes",
		90 * time.Second:            "1 minute 30 seconds",
		2*time.Second - 1:           "2 seconds",
		time.Second:                 "1 second",
		time.Hour + time.Second:     "1 hour 1 second",
		365 * 24 * time.Hour:        "8760 hours",
		5*time.Minute - 3*1000*1000: "5 minutes",
		1500 * time.Millisecond:     "1.5s",
		9996 * time.Millisecond:     "10 seconds",
		10500 * time.Millisecond:    "11 seconds",
		1004 * time.Millisecond:     "1 second",
		2998712 * time.Microsecond:  "3 seconds",
		2990 * time.Millisecond:     "2.99s",
		249999 * time.Microsecond:   "250ms",
		time.Microsecond:            "1µs",
		time.Nanosecond:             "1ns",
		0:                           "0s",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
