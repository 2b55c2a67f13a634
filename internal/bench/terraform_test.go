//go:build unix

package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
)

// folder is where Terraform runs a contestant's workload.
type folder struct {
	dir     string
	service *emulator.Emulator // in this process, whose costs are not counted
	env     []string
	sends   int          // notifications
	peak    atomic.Int32 // of open connections to the service
}

// newFolder also starts the service, with n studies of five members, all of one name. Another URL
// serves the same studies without a token.
func newFolder(t testing.TB, w workload, contestant string) *folder {
	t.Helper()
	f := &folder{dir: t.TempDir()}
	if contestant == ours || contestant == "curl" {
		f.sends = w.sends
	}
	keys, studies := make([]string, w.n), make([]json.RawMessage, w.n)
	for i := range w.n {
		keys[i] = fmt.Sprintf("%05d", i)
		studies[i] = fmt.Appendf(nil,
			`{"id":%d,"name":"ATLAS","phase":"III","open":%t,"site":"Hospital %05d"}`, i, i%2 == 0, i)
	}
	catalogue, err := json.Marshal(studies)
	if err != nil {
		t.Fatal(err)
	}
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(catalogue) // fails when Terraform has gone
	}))
	t.Cleanup(plain.Close)
	var server *http.Server
	f.service, server = emulatortest.New(t, emulator.Config{Studies: catalogue})
	var mu sync.Mutex
	open := int32(0)
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch state {
		case http.StateNew:
			open++
			f.peak.Store(max(f.peak.Load(), open))
		case http.StateClosed, http.StateHijacked:
			open--
		default: // still open
		}
	}
	url := emulatortest.Serve(t, f.service, server)
	// The user's own settings, such as TF_LOG and GOGC, must not affect the measurement.
	f.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.Getenv("TMPDIR"),
		"TF_CLI_CONFIG_FILE=" + filepath.Join(f.dir, "rc"), "CHECKPOINT_DISABLE=1",
		"GORACE=atexit_sleep_ms=0", // with the race detector each process would end a second later
		"NOTIFICATION_AUTH_URL=" + url, "NOTIFICATION_BASE_URL=" + url,
		"NOTIFICATION_EMULATOR_URL=" + url, "NOTIFICATION_CLIENT_ID=" + emulatortest.ClientID,
		"NOTIFICATION_CLIENT_SECRET=" + emulatortest.ClientSecret, "TF_VAR_url=" + plain.URL,
	}
	configuration, err := os.ReadFile(filepath.Join("testdata", w.folder, contestant+".tf"))
	if err != nil {
		t.Fatal(err)
	}
	variable := "" // Terraform would convert its values even if nothing used them
	if strings.Contains(w.keys, "var.keys") {
		variable = fmt.Sprintf(`"%s"`, strings.Join(keys, `","`))
	}
	for name, content := range map[string]string{
		"main.tf": string(configuration),
		// Terraform evaluates the expression of a for_each for each instance, but a local once.
		"keys.tf":               "variable \"keys\" {\n  type = list(string)\n}\nlocals {\n  keys = " + w.keys + "\n}\n",
		"keys.auto.tfvars.json": `{"keys":[` + variable + `]}`,
		"keys.txt":              strings.Join(keys, " "),
		"rc": fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"hashicorp/fake\" = %q\n"+
			"    \"hashicorp/notification\" = %[1]q\n  }\n  direct {}\n}\n", plugins),
	} {
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// apply creates everything and returns the costs by unit.
func (f *folder) apply(t testing.TB) map[string]float64 {
	t.Helper()
	state, usage := filepath.Join(f.dir, "terraform.tfstate"), filepath.Join(plugins, "usage")
	_, _ = os.Remove(state), os.Remove(usage) // there may be none
	f.service.ClearLedger()
	began := time.Now()
	process := f.terraform(t, "apply", "-auto-approve")
	wall := time.Since(began)
	ledger := f.service.Ledger()
	if ledger.Notifications != f.sends || ledger.SubmissionRequests != f.sends {
		t.Fatalf("%d submissions and %d notifications arrived, want %d",
			ledger.SubmissionRequests, ledger.Notifications, f.sends)
	}
	info, err := os.Stat(state)
	if err != nil {
		t.Fatal(err)
	}
	costs := map[string]float64{
		"sec/op": wall.Seconds(),
		// Terraform waits for its children, so its time includes theirs.
		"cpu-sec/op":  (process.UserTime() + process.SystemTime()).Seconds(),
		"state-MB":    float64(info.Size()) / 1e6,
		"tokens":      float64(ledger.TokenRequests),
		"connections": float64(f.peak.Load()),
	}
	lines, _ := os.ReadFile(usage) // none without a provider
	for line := range strings.Lines(string(lines)) {
		var peak, cpu float64
		if _, err := fmt.Sscan(line, &peak, &cpu); err != nil {
			t.Fatal(err)
		}
		costs["provider-peak-MB"] = max(costs["provider-peak-MB"], peak/1e6)
		costs["provider-cpu-sec/op"] += cpu / 1e9
	}
	return costs
}

func (f *folder) terraform(t testing.TB, command ...string) *os.ProcessState {
	t.Helper()
	program := cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform")
	cmd := exec.CommandContext(t.Context(), program, append(command, "-input=false", "-no-color")...)
	var output bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = f.dir, f.env, &output, &output
	if err := cmd.Run(); err != nil {
		t.Fatalf("terraform %s: %v\n%s", command[0], err, &output)
	}
	return cmd.ProcessState
}
