package provider

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tfaddr "github.com/hashicorp/terraform-registry-address"
)

var update = flag.Bool("update", false, "write the golden file")

const released = guides("https://registry.example.com/1.2.3/docs/guides/")

// The golden file contains every text that users see when a request fails, and the warnings and
// errors of plans, to be read from top to bottom.
func TestDiagnosticsGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, s := range failures() {
		synctest.Test(t, func(t *testing.T) {
			d := s.run(t, s.fault)
			fmt.Fprintf(&b, "## %s\n\n%s: %s\n\n%s\n\n", s.name, d.Severity(), d.Summary(), d.Detail())
		})
	}
	for _, p := range plans(t.Context()) {
		fmt.Fprintf(&b, "## plan: %s\n\n%s: %s\n\n%s\n\n",
			p.name, p.diagnostic.Severity(), p.diagnostic.Summary(), p.diagnostic.Detail())
	}
	got := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).
		ReplaceAllString(b.String(), "RANDOM_KEY")
	// Backoff has jitter, so that the time of a later attempt varies. The first is at 00:00:00.
	got = regexp.MustCompile(`2000-01-01T[0-9:]+:(0[1-9]|[1-5][0-9])Z`).
		ReplaceAllString(got, "LATER")
	got = regexp.MustCompile(`[0-9a-f]{32}`).ReplaceAllString(got, "TRACE_ID")
	got = regexp.MustCompile(`[0-9a-f]{16}`).ReplaceAllString(got, "REQUEST_ID")
	golden := filepath.Join("testdata", "diagnostics.golden.md")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("The texts differ from %s; read what has changed and write it with -update:\n%s",
			golden, firstDifference(string(want), got))
	}
	for _, row := range slices.Concat(connectionHints, tokenHints, serviceHints) {
		if text, _, _ := strings.Cut(row.text, "{"); !strings.Contains(got, text) {
			t.Errorf("no failure in failures_test.go leads to the hint %q", row.text)
		}
	}
	if strings.Contains(got, "canary") {
		t.Error("the texts contain the client secret or the user's own key")
	}
}

// Every guide that an error names is in the registry under the version that prints the error.
func TestGuides(t *testing.T) {
	t.Parallel()
	source := tfaddr.MustParseProviderSource(Source)
	provider := fmt.Sprintf("https://%s/providers/%s/%s/", source.Hostname, source.Namespace, source.Type)
	for version, in := range map[string]string{"1.2.3-rc.1": "1.2.3-rc.1", "dev": "latest"} {
		g := guidesOf(version)
		for _, text := range []string{g.lostAnswer(), g.keys(), g.duringDestroy()} {
			_, address, _ := strings.Cut(text, "\n\n    ")
			guide, ok := strings.CutPrefix(address, provider+in+"/docs/guides/")
			if !ok {
				t.Errorf("version %s: %s", version, text)
			}
			name, heading, _ := strings.Cut(guide, "#")
			page, err := os.ReadFile(filepath.Join("../../docs/guides", name+".md"))
			if err != nil || heading != "" && !strings.Contains(strings.ToLower(string(page)),
				"\n## "+strings.ReplaceAll(heading, "-", " ")+"\n") {
				t.Errorf("%s leads nowhere: %v", address, err)
			}
		}
	}
}

func firstDifference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range gots {
		if i >= len(wants) || wants[i] != line {
			return fmt.Sprintf("line %d: %s", i+1, line)
		}
	}
	return "lines are missing at the end"
}
