package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What GitHub's workflows have to hold to, where actionlint cannot know it.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	texts := make(map[string]string)
	paths, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("these are not the workflows: %q, %v", paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
	}
	for name, text := range texts {
		if strings.Contains(text, "codeql-action/autobuild") ||
			strings.Count(text, "codeql-action/init@") != strings.Count(text, " build-mode: ${{") {
			t.Errorf("%s lets CodeQL build by autobuild, which runs make: all of CI", name)
		}
		if strings.Contains(text, "${{ github.workflow }}") {
			t.Errorf("%s uses github.workflow, which is the caller's where it is called", name)
		}
	}
	called := regexp.MustCompile(`uses: \./\.github/workflows/(\S+)`).
		FindAllStringSubmatch(texts["release.yml"], -1)
	if called == nil {
		t.Error("release.yml runs no tests")
	}
	for _, match := range called {
		if strings.Contains(texts[match[1]], "prerelease") {
			t.Errorf("a prerelease of Terraform can stop a release, which runs %s", match[1])
		}
	}
	tries := texts["prerelease.yml"]
	for _, want := range []string{"is_prerelease", "\n  pull_request:\n", "\n  schedule:\n", "make test"} {
		if !strings.Contains(tries, want) {
			t.Errorf("prerelease.yml lacks %q", want)
		}
	}
}
