package acceptance

import (
	"slices"
	"strings"
	"testing"
)

var wrongChannels = map[string]string{
	"null_type":  `{ type = null, subject = "hello" }`,
	"blank_type": `{ type = " ", subject = "hello" }`,
	"null":       `null`,
}

// Whatever the shape, and whenever the channel becomes known, an invalid one is rejected before
// anything is submitted.
func TestShapes_wrong(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"any", "later"} {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			w.useFakeProvider(t)
			labels := map[string][]string{} // by the folder of the module
			for name, channel := range wrongChannels {
				labels[name] = w.shapedResources(t, name, origin, channel)
			}
			w.must(t, "get")
			output, status := w.tryApply(t)
			w.silent(t, "wrong channels")
			if strings.Contains(output, "Terraform crashed!") {
				t.Skip("this Terraform, such as 1.5, crashes if a conditional's sides differ")
			}
			if status != 1 || strings.Contains(output, "bug in the provider") {
				t.Fatalf("exit status %d\n%s", status, output)
			}
			for name, labels := range labels {
				found := errorsOf(output, name)
				for _, label := range labels {
					if !slices.ContainsFunc(found, func(text string) bool {
						return strings.Contains(text, `"`+label+`"`) ||
							strings.Contains(text, "."+label)
					}) {
						t.Errorf("no error about %s, %s", name, label)
					}
				}
			}
		})
	}
}

// errorsOf are the errors that point to a file of a module.
func errorsOf(output, folder string) []string {
	return slices.DeleteFunc(strings.Split(output, "Error: "), func(text string) bool {
		return !strings.Contains(text, "on "+folder+"/")
	})
}
