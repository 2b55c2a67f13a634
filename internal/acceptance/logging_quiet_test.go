//go:build unix

package acceptance

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Unless a variable asks for logs, the provider writes none, which Terraform would have to read.
func TestNoLogsUnlessAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	stderr := filepath.Join(w.dir, "stderr")
	wrapper := filepath.Join(t.TempDir(), "terraform-provider-notification")
	script := "#!/bin/sh\nexec '" + filepath.Join(filepath.Dir(cliConfig),
		"terraform-provider-notification") + "' \"$@\" 2>>'" + stderr + "'\n"
	config := filepath.Join(filepath.Dir(wrapper), "terraform.rc")
	if err := os.WriteFile(wrapper, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, overrides(filepath.Dir(wrapper), ""), 0o600); err != nil {
		t.Fatal(err)
	}
	w.setenv("TF_CLI_CONFIG_FILE", config)
	w.write(t, oneNotification)
	w.apply(t)
	content, err := os.ReadFile(stderr)
	if err != nil || lines(content) > 0 {
		t.Errorf("%v, %d lines: %.2000s", err, lines(content), content)
	}
	w.setenv("TF_LOG_PROVIDER", "TRACE")
	w.must(t, "plan")
	if content, err = os.ReadFile(stderr); err != nil || lines(content) == 0 {
		t.Errorf("this test proves nothing: TF_LOG_PROVIDER writes no logs either, %v", err)
	}
}

// lines counts the lines of the SDK and the provider; go-plugin adds a few more.
func lines(content []byte) int {
	return bytes.Count(content, []byte(`"@module":"sdk`)) + bytes.Count(content,
		[]byte(`"@module":"notification`))
}
