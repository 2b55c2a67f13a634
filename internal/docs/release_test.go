//go:build unix

package docs

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

// The examples of containers reach the emulator of the image: its version, address and credentials.
func TestContainers(t *testing.T) {
	t.Parallel()
	version := regexp.MustCompile(`(?m)^VERSION *:= *(.+)$`).
		FindStringSubmatch(read(t, "GNUmakefile"))[1]
	for _, file := range []string{"examples/containers/compose.yaml", "examples/containers/gitlab-ci.yml"} {
		text := read(t, file)
		for _, pattern := range []string{
			"/notification-emulator:" + regexp.QuoteMeta(version) + "\n",
			// The first of the addresses excludes all others.
			`_EMULATOR_URL(=|: )http://emulator:8080\n`, `_AUTH_URL(=|: )http://emulator:8080\n`,
			`_BASE_URL(=|: )http://emulator:8080\n`, `_ALLOW_INSECURE_HTTP(=true|: "true")\n`,
			`_CLIENT_ID(=|: )demo-client\n`, `_CLIENT_SECRET(=|: )emulator-secret\n`,
			`alias: emulator |condition: service_healthy\n`,
		} {
			if !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("%s does not match %s", file, pattern)
			}
		}
	}
	image := read(t, "internal/cmd/notification-emulator/Dockerfile")
	for _, text := range []string{
		"\nENV EMULATOR_LISTEN=0.0.0.0:8080 EMULATOR_CLIENT_SECRET=emulator-secret\n",
		` CMD ["/notification-emulator", "health"]` + "\n", // of http://127.0.0.1:8080
	} {
		if !strings.Contains(image, text) {
			t.Errorf("the image has no %s", text)
		}
	}
}

// What only a release would notice, when it is too late: these lines, in this order.
func TestReleaseFiles(t *testing.T) {
	t.Parallel()
	for file, keep := range map[string]string{
		".github/workflows/release.yml": `
    tags: ["v*"]
      - run: sh tools/release/tag.sh "$GITHUB_REF_NAME"
  test:
    needs: tag
  release:
    needs: test
    environment: release
          cache: false
          GORELEASER_CURRENT_TAG: ${{ github.ref_name }}
          PATH="$PWD/bin:$PATH" goreleaser release --release-notes "$RUNNER_TEMP/notes.md"
          subject-checksums: ${{ steps.draft.outputs.checksums }}
          subject-path: dist/notification-emulator_*.tar.gz
          [ "$newest" = "$TAG" ] || set -- --latest=false
          gh release edit "$TAG" --tag "$TAG" --verify-tag --draft=false "$@"
  image:
    needs: release
          platforms: linux/amd64,linux/arm64
          subject-digest: ${{ steps.push.outputs.digest }}`,
		".goreleaser.yml": `
      - linux_amd64
      - linux_arm64
      - linux_386
      - linux_arm
      - linux_s390x
      - darwin_amd64
      - darwin_arm64
      - windows_amd64
      - windows_arm64
      - windows_386
      - freebsd_amd64
      - freebsd_arm64
      - freebsd_386
      - freebsd_arm
    env: [CGO_ENABLED=0]
    flags: [-trimpath, -buildvcs=false]
    mod_timestamp: "{{ .CommitTimestamp }}"
          mtime: "{{ .CommitDate }}"
sboms:
    ids: [provider]
  draft: true
  replace_existing_draft: true
  prerelease: auto`,
		"internal/cmd/notification-emulator/Dockerfile": `
FROM scratch
USER 65532:65532`,
		"examples/demo/run.sh": `
exec "$emulator" exec -expect 1 -- sh -c '`,
	} {
		lines := strings.Split(read(t, file), "\n")
		for _, line := range strings.Split(keep, "\n")[1:] {
			at := slices.IndexFunc(lines, func(l string) bool {
				l, _, _ = strings.Cut(l, " #")
				return l == line
			})
			if at < 0 {
				t.Errorf("%s has no %q, or not where it was", file, line)
				continue
			}
			lines = lines[at+1:]
		}
	}
}

// The same commit has the same binary, whatever git's tags and untracked files are: otherwise, a
// colleague's clone has other checksums than the lock file.
func TestBuildIgnoresGit(t *testing.T) {
	t.Parallel()
	out, err := shell(t, t.TempDir(), copyTracked(t)+`
		git commit -qm first
		unset MAKEFLAGS
		export GOFLAGS=-buildvcs=auto # Go's default, which this machine's may not be
		build() { make -n build | grep internal/cmd/ | sh && cksum bin/*; } # only the emulator
		build >.git/first
		git tag v0.9.8 && touch untracked
		build >.git/second
		wc -l <.git/first
		diff .git/first .git/second`, ".")
	if err != nil || strings.TrimSpace(out) != "1" {
		t.Fatal(err, out)
	}
}

// A tag that does not agree with the version, the changelog and main is not released.
func TestReleaseTag(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if out, err := shell(t, folder, `
		mkdir -p base/tools/release && cp "$1" base/tools/release && cd base
		git init -q && git config user.name x && git config user.email x
		git config commit.gpgSign false && git config core.hooksPath /dev/null
		echo 'VERSION := 1.2.3' >GNUmakefile && echo '## [1.2.3] - 2026-01-02' >CHANGELOG.md
		git add . && git commit -qm first
		git tag v1.2.3 && git update-ref refs/remotes/origin/main HEAD
		`, "tools/release/tag.sh"); err != nil {
		t.Fatal(err, out)
	}
	candidate := `sed -i.old 's/1\.2\.3/&-rc.1/' GNUmakefile CHANGELOG.md && git tag v1.2.3-rc.1`
	for name, test := range map[string]struct{ tag, spoil, says string }{
		"good":             {"v1.2.3", "", ""},
		"prerelease":       {"v1.2.3-rc.1", candidate, ""},
		"no v":             {"1.2.3", "", "not a version"},
		"two parts":        {"v1.2", "", "not a version"},
		"leading zero":     {"v1.2.3-rc.01", "", "not a version"},
		"another version":  {"v1.2.4", "", "the VERSION in GNUmakefile is 1.2.3"},
		"missing":          {"v1.2.3", "git tag -d v1.2.3", "no tag of the commit"},
		"of an older one":  {"v1.2.3", "git commit -qm later --allow-empty", "no tag of the commit"},
		"not on main":      {"v1.2.3", "git update-ref -d refs/remotes/origin/main", "not on main"},
		"not in changelog": {"v1.2.3", "echo '## [1.2.3] - Unreleased' >CHANGELOG.md", "no section"},
	} {
		script := `cp -R base "` + name + `" && cd "` + name + `"
			` + test.spoil + "\nsh tools/release/tag.sh " + test.tag
		out, err := shell(t, folder, script, ".")
		if (err == nil) != (test.says == "") || !strings.Contains(out, test.says) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
}

// `make address` leaves no address of the old namespace. The Go module follows.
func TestAddress(t *testing.T) {
	t.Parallel()
	clone := t.TempDir()
	if out, err := shell(t, clone, copyTracked(t), "."); err != nil {
		t.Fatal(err, out)
	}
	namespace := tfaddr.MustParseProviderSource(provider.Source).Namespace
	for _, host := range []string{"", "tf.example.com/"} {
		out, err := shell(t, clone, `
			sh tools/address.sh `+host+"2-"+namespace+`/notification
			git grep -n `+namespace+`/ || [ $? = 1 ]
			grep local-prefixes .golangci.yml
			go list -m && cd tools/browser && go list -m`, ".")
		if err != nil {
			t.Fatal(err, out)
		}
		old := regexp.MustCompile(`(^|[^a-z-])` + namespace + `/(notification|terraform-provider)`)
		for line := range strings.Lines(out) {
			if old.MatchString(strings.ReplaceAll(line, "emulator/notification", "")) { // a package
				t.Error("left: ", line)
			}
		}
		namespace = "2-" + namespace
		module := "github.com/" + namespace + "/terraform-provider-notification"
		modules := "local-prefixes: [" + module + "]\n" + module + "\n" + module + "/tools/browser\n"
		if !strings.HasSuffix(out, modules) {
			t.Errorf("no %q in %s", modules, out)
		}
	}
	out, err := shell(t, clone, "sh tools/address.sh Upper/notification", ".")
	if err == nil || !strings.Contains(out, "in lower case") {
		t.Error(err, out)
	}
}

// copyTracked returns the part of a script that copies all files that git tracks, or could, and adds
// them to a new repository.
func copyTracked(t *testing.T) string {
	t.Helper()
	if _, err := shell(t, ".", "git ls-files --error-unmatch release_test.go", "."); err != nil {
		t.Skip("needs a clone")
	}
	return `(cd "$1" && git ls-files -zco --exclude-standard | xargs -0 tar -cf -) | tar -xf -
		git init -q && git config user.name x && git config user.email x
		git config commit.gpgSign false && git config core.hooksPath /dev/null && git add .`
}

// shell runs a script in a folder. Its argument is a path in the repository.
func shell(t *testing.T, dir, script, file string) (string, error) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	// A git hook that runs the tests has these variables, which name the real repository.
	script = "unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE\n" + script
	command := exec.CommandContext(t.Context(), "sh", "-euc", script, "sh", path)
	command.Dir = dir
	out, err := command.CombinedOutput()
	return string(out), err
}
