package main

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Terraform starts this program in place of each provider.
func TestMain(m *testing.M) {
	if binary := os.Getenv(providerVariable); binary != "" {
		os.Exit(runProvider(binary))
	}
	os.Exit(m.Run())
}

// inRoot goes where the command is run, and returns what the runs share. The test
// cannot be parallel then.
func inRoot(t *testing.T) *bench {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix only")
	}
	t.Chdir(filepath.Join("..", "..", ".."))
	b, err := newBench(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if old := regexp.MustCompile(`^Terraform v1\.[0-3]\.`); old.MatchString(b.version) {
		t.Skip(b.version + " has no terraform_data")
	}
	return b
}

func TestBench(t *testing.T) {
	inRoot(t)
	t.Setenv("NOTIFICATION_CLIENT_SECRET", "of the user, and no concern of the comparison")
	t.Setenv("TF_LOG", "TRACE")
	out := t.TempDir()
	if err := run(t.Context(), []string{"-n", "2", "-latency", "0s", "-rounds", "1", "-out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "comparison.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const contestant, tokens, submissions, connections, peak = 1, 8, 9, 10, 11
	want := map[string][]string{ // tokens, submissions, connections
		floorName: {"0", "0", "0"}, noopName: {"0", "0", "0"}, curlName: {"2", "2", "4"}, oursName: {"1", "2", "2"},
	}
	if _, err := exec.LookPath("curl"); err != nil {
		delete(want, curlName)
	}
	if len(rows) != 1+len(want) {
		t.Fatalf("%d rows:\n%s", len(rows), text)
	}
	for _, row := range rows[1:] {
		got := []string{row[tokens], row[submissions], row[connections]}
		if row[contestant] == oursName && row[connections] == "1" {
			got[2] = "2" // the second could wait for the first
		}
		if !slices.Equal(got, want[row[contestant]]) {
			t.Errorf("%s: %v", row[contestant], got)
		}
		if measured := row[peak] != "0"; measured != (row[contestant] == noopName || row[contestant] == oursName) {
			t.Errorf("%s: peak %s", row[contestant], row[peak])
		}
	}
	if table, err := os.ReadFile(filepath.Join(out, "comparison.md")); err != nil || !strings.Contains(string(table), "| "+oursName+" |") {
		t.Errorf("%v, %s", err, table)
	}
}

func TestCompareGrowth(t *testing.T) {
	b := inRoot(t)
	_, growth, err := b.groups(t.Context(), options{})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := b.compare(t.Context(), growth, size{n: 3, rounds: 1}, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{oursName: 3, parallelName: 3, recipientsName: 1}
	for _, c := range cells {
		if got := c.runs[0].SubmissionRequests; got != want[c.contestant] {
			t.Errorf("%s: %d submissions", c.contestant, got)
		}
	}
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	set, growth := group{name: setName}, group{name: mapName}
	count := func(args ...string) (n int, largest int) {
		var o options
		if err := o.parse(args); err != nil {
			t.Error(err)
		}
		for _, c := range o.schedule(set, growth) {
			largest = max(largest, c.n)
			n++
		}
		return n, largest
	}
	if n, largest := count(); n != 4 || largest != 200 {
		t.Errorf("%d, up to %d", n, largest)
	}
	if n, largest := count("-full"); n != 11 || largest != 5000 {
		t.Errorf("-full: %d, up to %d", n, largest)
	}
	for _, wrong := range [][]string{{"-rounds", "1"}, {"-map"}, {"-only", "nobody"}, {"-also", "x"}, {"-n", "many"}} {
		if err := new(options).parse(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
	if n, largest := count("-n", "7,9", "-latency", "1s,2s"); n != 4 || largest != 9 {
		t.Errorf("-n: %d, up to %d", n, largest)
	}
}

func TestRatio(t *testing.T) {
	t.Parallel()
	runs := func(walls ...time.Duration) *cell {
		c := new(cell)
		for _, wall := range walls {
			c.runs = append(c.runs, measurement{wall: wall})
		}
		return c
	}
	// A round in which everything took three times as long changes nothing.
	if got := runs(2, 6, 3).ratio(runs(1, 3, 1), wallTime); got != 2 {
		t.Errorf("%v", got)
	}
	if got := runs(2).ratio(new(cell), wallTime); got != 0 {
		t.Errorf("%v with nothing to compare to", got)
	}
}

func TestTimed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ratios []float64
		kept   bool
	}{
		"all under the limit":           {[]float64{1.1, 1.2, 1.3, 1.4}, true},
		"a busy machine":                {[]float64{1.1, 1.2, 1.5, 1.9, 1.6, 1.5, 1.3}, true},
		"three quarters over the limit": {[]float64{1.3, 1.5, 1.5, 1.6, 1.7, 1.5, 1.6}, false},
		"all over the limit":            {[]float64{1.5, 1.5, 1.6}, false},
	} {
		if b := timed(name, test.ratios, 1.4); b.kept() != test.kept {
			t.Errorf("%s: %+v", name, b)
		}
	}
	if (budget{got: 199, limit: 200, exact: true}).kept() || !(budget{got: 200, limit: 200, exact: true}).kept() {
		t.Error("exactly 200")
	}
}

func TestReadUsage(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "usage")
	if err := os.WriteFile(name, []byte("1000 5\n3000 6\n2000 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readUsage(name); err != nil || got != (usage{processes: 3, peak: 3000, cpu: 18}) {
		t.Errorf("%v, %v", got, err)
	}
}
