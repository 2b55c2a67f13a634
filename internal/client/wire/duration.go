package wire

import (
	"fmt"
	"strings"
	"time"
)

// FormatDuration formats d in words, such as "1 minute 30 seconds". Durations below 10 seconds that
// are not whole seconds are formatted like "1.5s".
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
