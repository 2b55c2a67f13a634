//go:build unix

package acceptance

import (
	"sync"
	"testing"
)

// fileJobs are the jobs of a file for GitHub, GitLab or Compose.
type fileJobs struct {
	Steps     map[string][]string // commands of each job of a pipeline, step by step
	Container containerJob
}

// containerJob is a job with the emulator's image beside it.
type containerJob struct {
	Image     string            // of the emulator
	Ports     []string          // that the emulator's container publishes
	Alias     string            // of the emulator, where the job chooses one
	Command   []string          // of the emulator's container
	Folder    string            // of the job's container, where it is not the checkout
	Variables map[string]string // of the job, only those for the provider
	Steps     []string
}

// exampleJobs are the jobs of the examples in YAML, by path.
var exampleJobs struct {
	sync.Once

	files map[string]fileJobs
}

// jobsOf are the jobs of an example. Terraform reads the YAML of all of them, once.
func jobsOf(t *testing.T, path string) fileJobs {
	t.Helper()
	exampleJobs.Do(func() {
		w := newWorkspace(t, nil)
		for path, text := range examples(t) {
			w.put(t, path, text)
		}
		w.put(t, "main.tf", `
locals {
  files = { for path in fileset(".", "*/*.{yml,yaml}") : path => yamldecode(file(path)) }
  jobs = { for path, file in local.files : path =>
    try(file.jobs.test, file.test, file.services.terraform, null)
  }
  emulators = { for path, file in local.files : path => try(
    local.jobs[path].services.emulator, local.jobs[path].services[0], file.services.emulator, null
  ) }
}
output "jobs" {
  value = { for path, file in local.files : path => {
    steps = merge({ for name, job in try(file.jobs, file) : name =>
      try([join("\n", job.script)], [for step in job.steps : step.run if can(step.run)])
      if can(job.script) || can(job.steps)
      }, try({ hook = [file.repos[0].post_workflow_hooks[0].run] }, {}),
      try({ hook = file.stack_defaults.after_run }, {}))
    container = {
      image     = try(local.emulators[path].image, local.emulators[path].name, "")
      ports     = try(local.emulators[path].ports, [])
      alias     = try(local.emulators[path].alias, "")
      command   = try(local.emulators[path].command, [])
      folder    = try(local.jobs[path].working_dir, "")
      variables = try(local.jobs[path].env, local.jobs[path].variables,
        local.jobs[path].environment, {})
      steps = try([for step in local.jobs[path].steps : step.run if can(step.run)],
        local.jobs[path].script, local.jobs[path].command, [])
    }
  } }
}
`)
		w.apply(t)
		read(t, w.must(t, "output", "-json", "jobs"), &exampleJobs.files)
	})
	jobs, ok := exampleJobs.files[path]
	if !ok {
		t.Fatalf("examples/%s has no jobs", path)
	}
	return jobs
}
