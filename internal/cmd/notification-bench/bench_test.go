package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
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

// Each contestant of each workload does its work, and it is counted as what it is.
func TestCompare(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	if runtime.GOOS == "windows" {
		t.Skip("runs on Unix only")
	}
	t.Setenv("NOTIFICATION_CLIENT_SECRET", "of the user, and no concern of the comparison")
	t.Setenv("TF_LOG", "TRACE")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // each provider's process would end a second later
	t.Chdir(filepath.Join("..", "..", ".."))
	b, err := newBench(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`^Terraform v1\.[0-3]\.`).MatchString(b.version) {
		t.Skip(b.version + " has no terraform_data")
	}
	for _, w := range []workload{overCount, overSet, overMap, toMany, toSplit, lookup} {
		cells, err := b.compare(t.Context(), w.of(2, 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			m, sends := c.runs[0], c.submissions(2)
			wantTokens := min(sends, 1)
			switch c.configuration {
			case curl.configuration:
				wantTokens = sends
			case studies.configuration:
				wantTokens = 1
			}
			if m.ledger.TokenRequests != wantTokens || len(m.ledger.Submissions) != sends {
				t.Errorf("%s, %s: %d tokens, %d submissions", w.name, c.name,
					m.ledger.TokenRequests, len(m.ledger.Submissions))
			}
			if measured := m.provider.peak > 0; measured != (c.provider != "") {
				t.Errorf("%s, %s: peak %d", w.name, c.name, m.provider.peak)
			}
			if m.wall <= 0 || m.cpu < m.provider.cpu || m.state == 0 {
				t.Errorf("%s, %s: %+v", w.name, c.name, m)
			}
		}
	}
}

func TestRatios(t *testing.T) {
	t.Parallel()
	runs := func(walls ...time.Duration) *cell {
		c := new(cell)
		for _, wall := range walls {
			c.runs = append(c.runs, measurement{wall: wall})
		}
		return c
	}
	// A round in which everything took three times as long changes nothing.
	if got := median(runs(2, 6, 3).ratios(runs(1, 3, 1), wallTime)); got != 2 {
		t.Errorf("%v", got)
	}
}

func TestBudget(t *testing.T) {
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
		b := timed(name, test.ratios, 1.4)
		if err := report([]budget{b}); b.kept() != test.kept || (err == nil) != test.kept {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
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
