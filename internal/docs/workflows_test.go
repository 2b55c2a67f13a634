//go:build unix

package docs

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The job required, which the rules for main name, waits for every other job of the workflow, and
// fails unless each of them succeeded.
func TestRequiredJob(t *testing.T) {
	t.Parallel()
	_, jobs, _ := strings.Cut(read(t, ".github/workflows/test.yml"), "\njobs:\n")
	jobs, required, _ := strings.Cut(jobs, "\n  required:\n")
	var others []string
	for _, job := range regexp.MustCompile(`(?m)^  ([a-z-]+):$`).FindAllStringSubmatch(jobs, -1) {
		others = append(others, job[1])
	}
	needs := "    if: always()\n    needs: [" + strings.Join(others, ", ") + "]\n"
	if !strings.HasPrefix(required, needs) {
		t.Errorf("the job required does not begin with\n%s", needs)
	}
	_, script, _ := strings.Cut(required,
		"          RESULTS: ${{ join(needs.*.result, ' ') }}\n        run: ")
	for results, passes := range map[string]bool{
		"success": true, "success success success": true,
		"success failure": false, "cancelled success": false, "success skipped success": false,
		"skipped": false, "": false,
	} {
		command := exec.CommandContext(t.Context(), "sh", "-ec", script)
		command.Env = append(os.Environ(), "RESULTS="+results)
		if out, err := command.CombinedOutput(); script == "" || (err == nil) != passes {
			t.Errorf("after %q: %v %s", results, err, out)
		}
	}
}
