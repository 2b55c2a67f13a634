//go:build unix

package acceptance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	announceExample = "pipelines/announce/main.tf"
	mirrorConfig    = "pipelines/mirror.tfrc"
)

// pipeline tries the jobs of a pipeline.
func pipeline(jobs ...pipelineJob) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { newPipeline(t).run(t, path, jobs) }
}

// Everything that was deployed is destroyed, and that is announced.
func destroyJob(t *testing.T, path string) {
	w := newPipeline(t)
	w.mustScript(t, "terraform init && terraform apply -auto-approve")
	w.run(t, path, []pipelineJob{{"destroy", ""}, {"announce", "subject of the job"}})
	if left := w.instances(t); len(left) != 0 {
		t.Errorf("not destroyed: %v", left)
	}
}

// run runs the jobs of a pipeline one after the other, as they stand.
func (w *workspace) run(t *testing.T, path string, jobs []pipelineJob) {
	t.Helper()
	text := examples(t)[path]
	for _, name := range regexp.MustCompile(`\bNOTIFICATION_\w+`).FindAllString(text, -1) {
		if w.getenv(name) == "" && name != "NOTIFICATION_CHECK_CREDENTIALS" {
			t.Errorf("%s is not one of the variables that the provider needs", name)
		}
	}
	steps := jobsOf(t, path).Steps
	if len(steps) != len(jobs) {
		t.Errorf("%d jobs with commands, want %d", len(steps), len(jobs))
	}
	for _, job := range jobs {
		w.ClearLedger()
		for _, step := range steps[job.name] {
			w.mustScript(t, step)
		}
		var subjects []string
		for _, submission := range w.Ledger().Submissions {
			subjects = append(subjects, submission.Channels[0].Subject)
		}
		if got := strings.Join(subjects, ", "); got != job.subject {
			t.Errorf("%s announced %q, want %q", job.name, got, job.subject)
		}
	}
}

// pipelineJob is a job and the subject of what it announces, if anything.
type pipelineJob struct{ name, subject string }

// newPipeline is a workspace with what the pipelines find in their repository, and the variables
// that they set.
func newPipeline(t *testing.T) *workspace {
	t.Helper()
	w := newExample(t, resourceExample, nil)
	w.put(t, "announce/main.tf", examples(t)[announceExample])
	config, err := mirror()
	if err != nil {
		t.Fatal(err)
	}
	w.setenv("TF_CLI_CONFIG_FILE", config)
	w.setenv("TF_VAR_release", "2.0.0")
	w.setenv("TF_VAR_subject", "subject of the job")
	w.setenv("TF_VAR_run", "1")
	return w
}

// failureHook tries the hook of a runner that tells it in a variable how the run ended: a failure is
// announced, and nothing else.
func failureHook(variable, failed string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		w := newPipeline(t)
		for i, value := range []string{"", failed} {
			w.setenv(variable, value)
			for _, step := range jobsOf(t, path).Steps["hook"] {
				w.mustScript(t, step)
			}
			w.submittedOnce(t, i)
		}
	}
}

// Each run is announced once, also where the state is kept.
func announceConfiguration(t *testing.T, path string) {
	w := newExample(t, path, nil)
	w.setenv("TF_VAR_subject", "The pipeline failed")
	for _, run := range []string{"1", "1", "2"} {
		w.setenv("TF_VAR_run", run)
		w.apply(t)
	}
	if got := len(w.Ledger().Submissions); got != 2 {
		t.Errorf("%d notifications were submitted in two runs", got)
	}
}

// A saved plan whose apply failed without changing the state can be applied again, and submits
// again; adopting the notification makes it stale.
func TestSavedPlanAfterFailure(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, oneNotification)
	w.apply(t)
	w.write(t, oneNotification+strings.ReplaceAll(oneNotification, "one", "two"))
	w.must(t, "plan", "-input=false", "-out=saved.tfplan")
	w.submissionsMeet(t, "reset-after,repeat")
	apply := func(wantMessage string, wantSent int) {
		t.Helper()
		out, _ := w.terraform(t, "apply", "-no-color", "-input=false", "saved.tfplan")
		if got := len(w.Ledger().Submissions); got != wantSent || !strings.Contains(out, wantMessage) {
			t.Errorf("%d submissions, want %d\n%s", got, wantSent, out)
		}
	}
	apply("Notification may have been submitted", 2)
	apply("Notification may have been submitted", 3)
	w.must(t, "import", "-input=false", "notification_notification.two", importedID)
	apply("Saved plan is stale", 3)
}

// mirror is the CLI configuration of the runners without the registry, with a mirror that holds the
// provider in a version that the examples allow.
var mirror = sync.OnceValues(func() (config string, err error) {
	const name = "terraform-provider-notification"
	own := filepath.Dir(cliConfig)
	dir := filepath.Join(own, "mirror")
	job, err := os.ReadFile(filepath.Join(repository, "examples", announceExample))
	allowed := versionLine.FindSubmatch(job)
	if err != nil || allowed == nil {
		return "", fmt.Errorf("%s has no version, %w", announceExample, err)
	}
	version := string(allowed[1]) + ".99.0"
	folder := filepath.Join(dir, filepath.FromSlash(providerAddress().String()), version,
		runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	err = os.Link(filepath.Join(own, name), filepath.Join(folder, name+"_v"+version))
	if err != nil {
		return "", err
	}
	example, err := os.ReadFile(filepath.Join(repository, "examples", mirrorConfig))
	text := strings.Replace(string(example), `"/opt/terraform-mirror"`, strconv.Quote(dir), 1)
	config = filepath.Join(dir, "mirror.tfrc")
	return config, errors.Join(err, os.WriteFile(config, []byte(text), 0o600))
})
