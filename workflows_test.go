package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What GitHub's workflows have to hold to, where actionlint cannot know it.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?m)(^|\s)#.*$`)
	texts := make(map[string]string)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yml")
		texts[name] = comment.ReplaceAllString(string(fileText(t, path)), "")
	}

	ofCaller := regexp.MustCompile(`github(\.|\[')workflow\b`)
	for name, text := range texts {
		if strings.Contains(text, "autobuild") {
			t.Errorf("%s.yml lets CodeQL build by autobuild, which runs make: all of CI", name)
		}
		if ofCaller.MatchString(text) {
			t.Errorf("%s.yml uses github.workflow, which is the caller's where it is called", name)
		}
		own := regexp.MustCompile(`(?m)^concurrency:(\n  group:)? ` + name + `-\$\{\{`)
		if !own.MatchString(text) || strings.Count(text, "concurrency:") != 1 {
			t.Errorf("%s.yml has no group of its own, %s-, that its runs wait in", name, name)
		}
	}

	released := []string{"release"}
	for _, match := range regexp.MustCompile(`uses: \./\.github/workflows/(\S+)\.yml`).
		FindAllStringSubmatch(texts["release"], -1) {
		released = append(released, match[1])
	}
	prerelease := regexp.MustCompile(`prerelease|\d\.\d+-\w`)
	for _, name := range released {
		if found := prerelease.FindString(texts[name]); found != "" {
			t.Errorf("a prerelease of Terraform can stop a release, which runs %s.yml: %s", name, found)
		}
	}

	for name, wanted := range map[string][]string{
		"prerelease": {"is_prerelease", "\n  pull_request:\n", "\n  schedule:\n", "make test"},
		"release":    {"\n    uses: ./.github/workflows/test.yml\n"},
		"security": {"\n  schedule:\n", "run: make check-toolchain\n",
			"language: go\n            build-mode: manual\n",
			" build-mode: ${{ matrix.build-mode }}\n", "run: go build ./...\n"},
	} {
		for _, want := range wanted {
			if !strings.Contains(texts[name], want) {
				t.Errorf("%s.yml lacks %q", name, want)
			}
		}
	}
}
