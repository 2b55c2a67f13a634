package main

import (
	"bytes"
	"fmt"
	goversion "go/version"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	tfaddr "github.com/hashicorp/terraform-registry-address"
	"golang.org/x/mod/modfile"

	"terraform-provider-notification/internal/provider"
)

// GitHub installs the Go of the toolchain line, and `.ci/run` uses the one that is there. Neither
// downloads another one, so no tool may need a later Go. Dependabot raises the tools that are named
// to it.
func TestToolsNeedNoLaterGo(t *testing.T) {
	t.Parallel()
	toolchain := readModule(t, "go.mod").Toolchain
	if toolchain == nil {
		t.Fatal("go.mod has no toolchain line, by which CI chooses its Go")
	}
	running, _, _ := strings.Cut(runtime.Version(), " ") // GOEXPERIMENT may follow
	modules, err := filepath.Glob("tools/*/go.mod")
	if err != nil || len(modules) < 5 {
		t.Fatalf("these are not the tools: %q, %v", modules, err)
	}
	dependabot := fileText(t, ".github/dependabot.yml")
	for _, path := range modules {
		module := readModule(t, path)
		for _, required := range module.Require {
			if slices.ContainsFunc(module.Tool, func(tool *modfile.Tool) bool {
				return strings.HasPrefix(tool.Path+"/", required.Mod.Path+"/")
			}) && !bytes.Contains(dependabot, []byte("dependency-name: "+required.Mod.Path+"\n")) {
				t.Errorf(".github/dependabot.yml does not allow %s of %s", required.Mod.Path, path)
			}
		}
		needs := "go" + module.Go.Version
		if module.Toolchain != nil {
			needs = module.Toolchain.Name
		}
		for _, has := range []string{toolchain.Name, running} {
			if goversion.Compare(needs, has) > 0 {
				t.Errorf("%s needs %s, and builds with %s too", path, needs, has)
			}
		}
	}
}

func readModule(t *testing.T, path string) *modfile.File {
	t.Helper()
	module, err := modfile.Parse(path, fileText(t, path), nil)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// A release changes the version in GNUmakefile and CHANGELOG.md. Nothing else names one of the
// programs, but for the emulator's image in the examples and the page that shows them, which `make
// pin` writes. Test data has what an earlier version wrote.
func TestVersionIsInOnePlace(t *testing.T) {
	t.Parallel()
	texts := files(t)
	version := regexp.MustCompile(`(?m)^VERSION +:= (.*)$`).FindSubmatch(texts["GNUmakefile"])
	names := regexp.MustCompile(
		`(terraform-provider-notification|notification-emulator|notification/notification)` +
			`[_/: ]v?\d+\.\d+\.\d+[0-9A-Za-z.-]*`)
	pinned := 0
	for path, text := range texts {
		if path == "CHANGELOG.md" || strings.Contains(path, "testdata") ||
			strings.HasSuffix(path, "_test.sh") {
			continue
		}
		pins := strings.HasPrefix(path, "examples/containers/") || path == "docs/guides/emulator.md"
		for _, found := range names.FindAll(naming(text), -1) {
			if pins && string(found) == "notification-emulator:"+string(version[1]) {
				pinned++
				continue
			}
			t.Errorf("%s has a version: %q", path, found)
		}
	}
	if pinned < 6 {
		t.Errorf("the examples and their page name the version %d times", pinned)
	}
}

// Whoever copies a configuration gets the version that it comes with. `make constraint` changes all
// of them. Other providers and modules have constraints of their own.
func TestConstraintAllowsTheVersionEverywhere(t *testing.T) {
	t.Parallel()
	texts := files(t)
	version := regexp.MustCompile(`(?m)^VERSION +:= .*`).Find(texts["GNUmakefile"])
	block := regexp.MustCompile(`\{[^{}]*\bsource\s*=\s*"([^"]+)"[^{}]*\}`)
	inBlock := regexp.MustCompile(`\bversion\s*=\s*"([^"]*)"`)
	constraint := regexp.MustCompile(`~> \d+[.\d]*\d`)
	want := constraint.Find(texts["README.md"])
	found := 0
	check := func(path string, got []byte) {
		found++
		if !bytes.Equal(got, want) {
			t.Errorf("%s has the constraint %s, and the README %s", path, got, want)
		}
	}
	for path, text := range texts {
		if path == "CHANGELOG.md" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, match := range block.FindAllSubmatch(text, -1) {
			if !strings.HasSuffix("/"+string(match[1]), "/"+provider.Source) {
				continue
			}
			for _, version := range inBlock.FindAllSubmatch(match[0], -1) {
				check(path, version[1])
			}
		}
		for _, match := range constraint.FindAll(block.ReplaceAll(text, nil), -1) {
			check(path, match)
		}
	}
	if found < 30 {
		t.Errorf("only %d constraints were found", found)
	}
	var major, minor, allowedMajor, allowedMinor int
	_, err := fmt.Sscanf(string(version), "VERSION := %d.%d.", &major, &minor)
	_, wrong := fmt.Sscanf(string(want), "~> %d.%d", &allowedMajor, &allowedMinor)
	if err != nil || wrong != nil || major != allowedMajor || minor < allowedMinor {
		t.Errorf("%s does not allow the %s of GNUmakefile", want, version)
	}
}

// The source is provider.Source wherever a configuration or a command has one. Its namespace is that
// of full addresses, of OpenTofu's registry, of GitHub, and in the name of the emulator's image.
// `make address` changes all of them.
func TestAddressIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	address := tfaddr.MustParseProviderSource(provider.Source)
	inConfiguration := regexp.MustCompile(
		`(?m)(?:ource\s*=\s*|\[|^\s*)"((?:[a-z0-9-]+(?:\.[a-z0-9-]+)+/)?[A-Za-z0-9-]+/notification)"`)
	inRegistry := regexp.MustCompile(
		`((?:[a-z0-9-]+\.)+[a-z0-9-]+)/(?:(?:v1/)?providers?/)?([A-Za-z0-9-]+)/notification\b`)
	onGitHub := regexp.MustCompile(
		`(?:github\.com/|--repo )([A-Za-z0-9-]+)/terraform-provider-notification\b`)
	hosts := []string{string(address.Hostname),
		"registry.opentofu.org", "search.opentofu.org", "ghcr.io"}
	sources, found, repositories := 0, 0, 0
	for path, text := range files(t) {
		if path == "tools/release/address_test.sh" || path == "scripts_test.go" { // have those of others
			continue
		}
		text = naming(text)
		for _, match := range inConfiguration.FindAllSubmatch(text, -1) {
			sources++
			if string(match[1]) != provider.Source {
				t.Errorf("%s has the source %s, want %s", path, match[1], provider.Source)
			}
		}
		for _, match := range inRegistry.FindAllSubmatch(text, -1) {
			found++
			if !slices.Contains(hosts, string(match[1])) || string(match[2]) != address.Namespace {
				t.Errorf("%s names the provider %s, want %s", path, match[0], address)
			}
		}
		for _, match := range onGitHub.FindAllSubmatch(text, -1) {
			repositories++
			if string(match[1]) != address.Namespace {
				t.Errorf("%s names %s, want the organisation %s", path, match[0], address.Namespace)
			}
		}
	}
	if sources < 30 || found < 10 || repositories < 4 {
		t.Errorf("only %d sources, %d addresses and %d repositories were found",
			sources, found, repositories)
	}
}

// naming are the lines that name the provider: few, for expressions that take their time.
func naming(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	return bytes.Join(slices.DeleteFunc(lines, func(line []byte) bool {
		return !bytes.Contains(line, []byte("notification"))
	}), nil)
}

// fileText is the content of a file.
func fileText(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// files are the text files of the repository, by their paths with slashes.
func files(t *testing.T) map[string][]byte {
	t.Helper()
	texts := make(map[string][]byte)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (name == "bin" || name == "dist" ||
			strings.HasPrefix(name, ".") && name != ".github" && name != ".ci"):
			return filepath.SkipDir
		case entry.IsDir() || name == "go.sum":
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && !bytes.ContainsRune(text, 0) {
			texts[filepath.ToSlash(path)] = text
		}
		return err
	})
	if err != nil || len(texts) < 300 {
		t.Fatalf("%d files, %v", len(texts), err)
	}
	return texts
}
