//go:build unix

package docs

import (
	"os/exec"
	"path/filepath"
	"regexp"
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
	for file, texts := range map[string][]string{
		"internal/cmd/notification-emulator/Dockerfile": {
			"\nENV EMULATOR_LISTEN=0.0.0.0:8080 EMULATOR_CLIENT_SECRET=emulator-secret\n",
			` CMD ["/notification-emulator", "health"]` + "\n", // of http://127.0.0.1:8080
		},
		"examples/containers/compose.yaml": {
			` ports: ["127.0.0.1:8080:8080"] `, "_URL: http://emulator:8080\n",
			`_HTTP: "true"` + "\n", "condition: service_healthy\n",
		},
		"examples/containers/github-actions.yml": {"_URL: http://127.0.0.1:8080\n"},
		"examples/containers/gitlab-ci.yml": {
			"alias: emulator ", "_URL: http://emulator:8080\n", `_HTTP: "true"` + "\n",
		},
	} {
		content := read(t, file)
		if strings.HasPrefix(file, "examples/") {
			texts = append(texts, "/notification-emulator:"+version+"\n",
				"_CLIENT_ID: demo-client\n", "_CLIENT_SECRET: emulator-secret")
		}
		for _, text := range texts {
			want := 1
			if strings.HasPrefix(text, "_URL") {
				want = 3 // auth_url, base_url, and the one that excludes others
			}
			if got := strings.Count(content, text); got != want {
				t.Errorf("%s has %q %d times, want %d", file, text, got, want)
			}
		}
	}
}

// A tag that does not agree with the version, the changelog and main is not released.
func TestReleaseTag(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ tag, spoil, says string }{
		"good":             {"v1.2.3", "", ""},
		"no v":             {"1.2.3", "", "not a version"},
		"two parts":        {"v1.2", "", "not a version"},
		"another version":  {"v1.2.4", "", "the VERSION in GNUmakefile is 1.2.3"},
		"missing":          {"v1.2.3", "git tag -d v1.2.3", "no tag of the commit"},
		"of an older one":  {"v1.2.3", "git commit -qm later --allow-empty", "no tag of the commit"},
		"not on main":      {"v1.2.3", "git update-ref -d refs/remotes/origin/main", "not on main"},
		"not in changelog": {"v1.2.3", "echo '## [1.2.3] - Unreleased' >CHANGELOG.md", "no section"},
	} {
		repo := t.TempDir()
		script := `cp "$1" tag.sh && mkdir -p tools/release && mv tag.sh tools/release
			git init -q && git config user.name x && git config user.email x
			git config commit.gpgSign false && git config core.hooksPath /dev/null
			echo 'VERSION := 1.2.3' >GNUmakefile && echo '## [1.2.3] - 2026-01-02' >CHANGELOG.md
			git add . && git commit -qm first
			git tag v1.2.3 && git update-ref refs/remotes/origin/main HEAD
			` + test.spoil + "\nsh tools/release/tag.sh " + test.tag
		out, err := shell(t, repo, script, "tools/release/tag.sh")
		if (err == nil) != (test.says == "") || !strings.Contains(out, test.says) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
}

// `make address` leaves no address of the old namespace.
func TestAddress(t *testing.T) {
	t.Parallel()
	if _, err := shell(t, ".", "git ls-files --error-unmatch release_test.go", "."); err != nil {
		t.Skip("needs a clone")
	}
	namespace := tfaddr.MustParseProviderSource(provider.Source).Namespace
	out, err := shell(t, t.TempDir(), `
		(cd "$1" && git ls-files -z | xargs -0 tar -cf -) | tar -xf -
		git init -q && git add . && sh tools/address.sh `+namespace+`-2/notification
		git grep -n `+namespace+`/ || [ $? = 1 ]`, ".")
	if err != nil {
		t.Fatal(err, out)
	}
	old := regexp.MustCompile(`(^|[^a-z-])` + namespace + `/(notification|terraform-provider)`)
	for line := range strings.Lines(out) {
		if old.MatchString(strings.ReplaceAll(line, "emulator/notification", "")) { // a package
			t.Error("left: ", line)
		}
	}
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
