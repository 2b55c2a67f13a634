package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// report measures, prints the tables and writes them down.
func (b *bench) report(ctx context.Context, comparisons []comparison, set group, out string) error {
	if err := os.MkdirAll(out, 0o750); err != nil {
		return err
	}
	starts, err := b.compareStarts(ctx, set.contestants, startRounds)
	if err != nil {
		return err
	}
	var cells []*cell
	for _, c := range comparisons {
		more, err := b.compare(ctx, c.group, c.size, os.Stderr)
		if err != nil {
			return err
		}
		cells = append(cells, more...)
		// Some take long: what there is already must not be lost with the next.
		if err := b.write(out, cells, starts); err != nil {
			return err
		}
	}
	fmt.Print(b.tables(cells, starts))
	return nil
}

func (b *bench) write(out string, cells []*cell, starts []start) error {
	if err := os.WriteFile(filepath.Join(out, "comparison.md"), []byte(b.tables(cells, starts)), 0o600); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(out, "comparison.csv")) //nolint:gosec // where the user wants it
	if err != nil {
		return err
	}
	return errors.Join(writeCSV(file, cells), file.Close())
}

// tables is the whole comparison as Markdown.
func (b *bench) tables(cells []*cell, starts []start) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %s, %d CPUs%s, %s/%s. Medians of the rounds, contestants in turn; ratios are medians of the ratios within a round, "+
		"to the no-op provider. CPU is that of Terraform and all that it started; connections and memory are the highest of all rounds.\n",
		b.version, runtime.Version(), runtime.NumCPU(), processor(), runtime.GOOS, runtime.GOARCH)
	for i, c := range cells {
		if i == 0 || c.size != cells[i-1].size || c.group != cells[i-1].group {
			fmt.Fprintf(&text, "\nN = %d, %d ms until the service answers, %s, rounds: %d\n\n", c.n, c.latency.Milliseconds(), c.group, len(c.runs))
			text.WriteString("| | Wall | × | CPU | × | of which provider | Requests for tokens | Submissions | Connections | Peak memory of the provider |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
		}
		base := find(cells, c.group, noopName, c.size)
		fmt.Fprintf(&text, "| %s | %.2f s | %.2f | %.2f s | %.2f | %s | %d | %d | %d | %s |\n", c.contestant,
			c.wall().Seconds(), c.ratio(base, wallTime), c.cpu().Seconds(), c.ratio(base, cpuTime), seconds(median(each(c.runs, providerTime))),
			c.highest(tokenRequests), c.highest(submissions), c.highest(connections), megabytes(c.highest(peak)))
	}
	if len(starts) > 0 {
		text.WriteString("\nFrom the start of the process to the answer to GetProviderSchema, and size of the stripped binary\n\n| | Time | × | Size |\n|---|--:|--:|--:|\n")
		for _, s := range starts {
			fmt.Fprintf(&text, "| %s | %.1f ms | %.2f | %s |\n", s.contestant, milliseconds(median(s.took)), median(s.ratios(starts[0])), megabytes(s.size))
		}
	}
	return text.String()
}

func tokenRequests(m measurement) int64 { return int64(m.TokenRequests) }
func submissions(m measurement) int64   { return int64(m.SubmissionRequests) }
func connections(m measurement) int64   { return int64(m.Connections) }
func peak(m measurement) int64          { return m.provider.peak }

func providerTime(m measurement) time.Duration { return m.provider.cpu }

func seconds(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func megabytes(bytes int64) string {
	if bytes == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// processor names the CPU where the system says what it is.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return " (" + strings.TrimSpace(value) + ")"
		}
	}
	return ""
}

// find returns an empty cell when there is none.
func find(cells []*cell, group, contestant string, s size) *cell {
	for _, c := range cells {
		if c.group == group && c.contestant == contestant && c.size == s {
			return c
		}
	}
	return new(cell)
}

// writeCSV writes every single run, for the plot and for further questions.
func writeCSV(w io.Writer, cells []*cell) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"group", "contestant", "n", "latency_ms", "round", "wall_s", "cpu_s", "provider_cpu_s", "token_requests", "submissions", "connections", "peak_bytes"}) // Flush tells
	for _, c := range cells {
		for round, m := range c.runs {
			_ = out.Write([]string{ // as above
				c.group, c.contestant, strconv.Itoa(c.n), strconv.FormatInt(c.latency.Milliseconds(), 10), strconv.Itoa(round + 1),
				fmt.Sprintf("%.3f", m.wall.Seconds()), fmt.Sprintf("%.3f", m.cpu.Seconds()), fmt.Sprintf("%.3f", m.provider.cpu.Seconds()),
				strconv.Itoa(m.TokenRequests), strconv.Itoa(m.SubmissionRequests), strconv.Itoa(m.Connections), strconv.FormatInt(m.provider.peak, 10),
			})
		}
	}
	out.Flush()
	return out.Error()
}
