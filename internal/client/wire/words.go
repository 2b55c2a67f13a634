package wire

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// InWords is d as people say it: "1 minute 30 seconds". A duration of a second or more is rounded
// to seconds.
func InWords(d time.Duration) string {
	if d >= time.Second {
		d = d.Round(time.Second)
	}
	names := []string{"hour", "minute", "second", "millisecond"}
	var words []string
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second, time.Millisecond} {
		if n := d / unit; n == 1 {
			words = append(words, "1 "+names[i])
		} else if n > 1 {
			words = append(words, fmt.Sprintf("%d %ss", n, names[i]))
		}
		d %= unit
	}
	return cmp.Or(strings.Join(words, " "), "0 seconds")
}
