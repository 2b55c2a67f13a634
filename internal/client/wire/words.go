package wire

import (
	"fmt"
	"strings"
	"time"
)

// InWords is d as people say it: "1 minute 30 seconds". From a second on it leaves out what is below
// a second.
func InWords(d time.Duration) string {
	if d >= time.Second {
		d = d.Round(time.Second)
	}
	var parts []string
	for _, unit := range []struct {
		name   string
		length time.Duration
	}{
		{"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second},
		{"millisecond", time.Millisecond},
	} {
		switch n := d / unit.length; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+unit.name)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit.name))
		}
		d %= unit.length
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}
