package acceptance

import (
	"strings"
	"testing"
)

var wrongChannels = map[string]string{
	"null type":  `{ type = null, subject = "hello" }`,
	"blank type": `{ type = " ", subject = "hello" }`,
	"null":       `null`,
}

// Whatever the shape, and whenever the channel becomes known, an invalid one is rejected before
// anything is submitted.
func TestShapes_wrong(t *testing.T) {
	t.Parallel()
	for name, channel := range wrongChannels {
		for _, origin := range []string{"variable of any type", "later"} {
			t.Run(name+" "+origin, func(t *testing.T) {
				t.Parallel()
				w, labels := newShapes(t, origin, channel)
				output, status := w.tryApply(t)
				if strings.Contains(output, "Terraform crashed!") {
					w.silent(t, name)
					t.Skip("this Terraform, such as 1.5, crashes if a conditional's sides differ")
				}
				if status != 1 || strings.Contains(output, "bug in the provider") {
					t.Fatalf("exit status %d\n%s", status, output)
				}
				for _, label := range labels {
					if !strings.Contains(output, `"`+label+`"`) &&
						!strings.Contains(output, "."+label) {
						t.Errorf("no error about %s", label)
					}
				}
				w.silent(t, name)
			})
		}
	}
}
