package main

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The emulator is for tests: none of it belongs in the provider.
func TestProviderLinksNoEmulator(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil && runtime.GOOS == "windows" {
		t.Skip("no go on PATH: the tests were built elsewhere, to run where there is none")
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	rooms := []string{"client", "protocol", "provider", "settings", "studies"}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, "terraform-provider-notification/internal/client") {
		t.Fatalf("these are not the provider's packages: %q", packages)
	}
	for _, name := range packages {
		own, ok := strings.CutPrefix(name, "terraform-provider-notification/internal/")
		room, _, _ := strings.Cut(own, "/")
		if ok && !slices.Contains(rooms, room) || strings.Contains(name, "chromedp") {
			t.Errorf("the provider links %s", name)
		}
	}
}
