package acceptance

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var keepState = flag.String("state.keep", "", "`TAG` whose state TestStateOfThisVersion keeps")

// With a state of any released version, this version plans no change and makes no request. Neither
// a setting that was added later nor a first key sends anything again. The files are kept for every
// later version. Each has a notification with all arguments, one that was changed in place, one
// without an id and an imported one.
func TestStatesOfEarlierVersionsPlanNothing(t *testing.T) {
	t.Parallel()
	states, err := filepath.Glob(filepath.Join("testdata", "states", "*.tfstate"))
	if err != nil || len(states) == 0 {
		t.Fatalf("no states: %v", err)
	}
	for _, state := range states {
		t.Run(filepath.Base(state), func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			w.put(t, "terraform.tfstate", fileText(t, state))
			w.put(t, "main.tf", fileText(t, "testdata", "states", "main.tf"))
			w.settled(t)
			w.setenv("NOTIFICATION_TOKEN_PATH", "connect/token")
			w.setenv("NOTIFICATION_IDEMPOTENCY_KEY_HEADER", keyHeader)
			w.keepProvider(t)
			w.settled(t)
			w.edit(t, `priority = "NORMAL"`, `priority = "NORMAL"`+"\n  idempotency_key = \"first\"")
			w.apply(t)
			w.sent(t)
		})
	}
}

// This version can write such a state. -state.keep keeps it for later versions.
func TestStateOfThisVersion(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.setSubmissionFaults(t, `json-after:{"status":"accepted"}`)
	w.put(t, "main.tf", fileText(t, "testdata", "states", "main.tf"))
	w.edit(t, `"after"`, `"before"`)
	w.apply(t, "-target=notification_notification.without_id")
	w.must(t, "import", "notification_notification.imported", "of-another")
	w.apply(t)
	w.edit(t, `"before"`, `"after"`)
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live", "before", "")
	w.settled(t)
	if *keepState == "" || t.Failed() {
		return
	}
	if terraformVersion.program == "OpenTofu" {
		t.Fatal("OpenTofu writes another host of the provider: keep a state that Terraform writes")
	}
	kept := filepath.Join("testdata", "states", *keepState+".tfstate")
	if _, err := os.Stat(kept); err == nil {
		t.Fatalf("%s is there, and must not change; remove it first if it was not released", kept)
	}
	text := fileText(t, w.dir, "terraform.tfstate")
	if err := os.WriteFile(kept, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
