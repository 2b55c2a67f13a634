//go:build unix

package acceptance

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// besideEmulator tries a job that finds the emulator under that host: as the image starts it, with
// the job's variables and nothing else for the provider, its steps submit one notification. The
// emulator takes the place of a proxy, so that the provider need not look the host up.
func besideEmulator(host string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		w := newPipeline(t)
		job := jobsOf(t, path).Container
		image := "ghcr.io/" + providerAddress().Namespace + "/notification-emulator:"
		if !strings.HasPrefix(job.Image, image) { // and a version, which another test compares
			t.Errorf("the image is %s, want %s", job.Image, image)
		}
		if job.Alias != "" && job.Alias != host {
			t.Errorf("the emulator is %s, want %s", job.Alias, host)
		}
		origin := "http://" + host + ":8080"
		want := []string{"AUTH_URL", "BASE_URL", "CLIENT_ID", "CLIENT_SECRET", "EMULATOR_URL"}
		if host == "127.0.0.1" {
			if !slices.Equal(job.Ports, []string{"8080:8080"}) {
				t.Errorf("the ports are %q", job.Ports)
			}
		} else {
			want = append([]string{"ALLOW_INSECURE_HTTP"}, want...)
		}
		script := []string{"export HTTP_PROXY=$NOTIFICATION_BASE_URL",
			"unset $(env | sed -n 's/^\\(NOTIFICATION_[A-Z_]*\\)=.*/\\1/p')"}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(job.Variables)) {
			value := job.Variables[name]
			got = append(got, strings.TrimPrefix(name, "NOTIFICATION_"))
			if strings.HasSuffix(name, "_URL") && value != origin {
				t.Errorf("%s is %s, want %s", name, value, origin)
			}
			if host == "127.0.0.1" { // where no proxy is asked, and something else may listen
				value = strings.Replace(value, origin, "$HTTP_PROXY", 1)
			}
			script = append(script, "export "+name+"=\""+value+"\"")
		}
		if !slices.Equal(got, want) {
			t.Errorf("the variables are %q, want %q", got, want)
		}
		w.setenv("RUNNER_TEMP", t.TempDir())
		w.setenv("CI_PROJECT_DIR", w.dir)
		if job.Folder != "" {
			script = append(script, "cd "+t.TempDir())
		}
		steps := strings.ReplaceAll(strings.Join(job.Steps, "\n"), "/checkout", w.dir)
		w.put(t, "job.sh", strings.Join(append(script, steps), "\n"))
		w.leaveState(t)
		before := w.files(t)
		w.mustScript(t, "set -- '"+strings.Join(append(imageFlags(t), job.Command...), "' '")+"'\n"+
			`notification-emulator serve "$@" -h >/dev/null
			notification-emulator exec "$@" -listen 127.0.0.1:0 -expect 1 -- sh -e ./job.sh`)
		if after := w.files(t); !slices.Equal(before, after) {
			t.Errorf("the checkout has %q, and had %q", after, before)
		}
	}
}

// leaveState puts into the workspace what a checkout has that was applied: a backend that must not be
// asked, and states that cannot be read.
func (w *workspace) leaveState(t *testing.T) {
	t.Helper()
	w.put(t, "backend.tf", "terraform {\n  backend \"http\" {\n    address = \""+
		"http://127.0.0.1:1/state\"\n  }\n}\n")
	w.put(t, "terraform.tfstate", "not for a copy")
	w.put(t, "terraform.tfstate.d/x/terraform.tfstate", "not for a copy")
	w.put(t, ".terraform/environment", "x")
	w.put(t, ".terraform/terraform.tfstate", "not for a copy")
}

// files are the names of what is in the workspace.
func (w *workspace) files(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// imageFlags are the flags of serve with which the image starts the emulator.
func imageFlags(t *testing.T) (words []string) {
	t.Helper()
	text := fileText(t, repository, "internal", "cmd", "notification-emulator", "Dockerfile")
	entrypoint := regexp.MustCompile(`(?m)^ENTRYPOINT (\[.*\])$`).
		FindStringSubmatch(strings.ReplaceAll(text, "\\\n", ""))
	if entrypoint == nil {
		t.Fatal("the Dockerfile has no entrypoint")
	}
	if err := json.Unmarshal([]byte(entrypoint[1]), &words); err != nil || words[1] != "serve" {
		t.Fatalf("the entrypoint is %s: %v", entrypoint[1], err)
	}
	return words[2:]
}
