package wire

import (
	"fmt"
	"strings"
	"time"
)

// FormatDuration is d as people say it: "1 minute 30 seconds", or "1.5s" where it has less than 10 seconds
// and a fraction.
func FormatDuration(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(10 * time.Millisecond)
	case d >= time.Millisecond:
		d = d.Round(time.Millisecond)
	}
	if d%time.Second != 0 || d == 0 {
		return d.String()
	}
	names := []string{"hour", "minute", "second"}
	var words []string
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		if n := d / unit; n == 1 {
			words = append(words, "1 "+names[i])
		} else if n > 1 {
			words = append(words, fmt.Sprintf("%d %ss", n, names[i]))
		}
		d %= unit
	}
	return strings.Join(words, " ")
}
