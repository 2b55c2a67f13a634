package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// cell is what one contestant measured, in order of rounds.
type cell struct {
	contestant

	runs []measurement
}

// named is that contestant's cell, which must be there.
func named(cells []*cell, name string) *cell {
	return cells[slices.IndexFunc(cells, func(c *cell) bool { return c.name == name })]
}

// compare measures the contestants of a workload. They take turns within a round, and each round
// begins with another one, so that what slows the machine for a while does not meet the same one
// each time.
func (b *bench) compare(ctx context.Context, w workload) ([]*cell, error) {
	service, err := startService(w.n)
	if err != nil {
		return nil, err
	}
	defer service.stop()
	cells := make([]*cell, len(w.contestants))
	folders := make([]*folder, len(w.contestants))
	for i, c := range w.contestants {
		cells[i] = &cell{contestant: c}
		if folders[i], err = b.prepare(w, c); err != nil {
			return nil, err
		}
	}
	for round := range w.rounds {
		for turn := range cells {
			i := (turn + round) % len(cells)
			m, err := b.apply(ctx, folders[i], service, w.n)
			if err != nil {
				return nil, err
			}
			cells[i].runs = append(cells[i].runs, m)
			fmt.Fprintf(os.Stderr, "%s, N = %d, round %d of %d: %s %.2f s\n",
				w.name, w.n, round+1, w.rounds, cells[i].name, m.wall.Seconds())
		}
	}
	return cells, nil
}

// table is the outcome as Markdown.
func table(w workload, cells []*cell) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s, N = %d, rounds: %d\n\n", w.name, w.n, w.rounds)
	text.WriteString("| | Wall | × | CPU | × | of which provider | State | " +
		"Peak memory of the provider | Tokens | Connections |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, c := range cells {
		fmt.Fprintf(&text,
			"| %s | %.2f s | %.2f | %.2f s | %.2f | %.2f s | %.1f MB | %.1f MB | %.0f | %.0f |\n",
			c.name, median(c.each(wallTime)), median(c.ratios(cells[0], wallTime)),
			median(c.each(cpuTime)), median(c.ratios(cells[0], cpuTime)), median(c.each(providerCPU)),
			c.highest(stateSize)/1e6, c.highest(providerPeak)/1e6, c.highest(tokens), c.highest(connections))
	}
	return text.String()
}

// A quantity is one of a measurement's, in seconds, bytes or numbers.
type quantity func(measurement) float64

func wallTime(m measurement) float64     { return m.wall.Seconds() }
func cpuTime(m measurement) float64      { return m.cpu.Seconds() }
func providerCPU(m measurement) float64  { return m.provider.cpu.Seconds() }
func stateSize(m measurement) float64    { return float64(m.state) }
func providerPeak(m measurement) float64 { return float64(m.provider.peak) }
func tokens(m measurement) float64       { return float64(m.ledger.TokenRequests) }
func connections(m measurement) float64  { return float64(m.ledger.Connections) }

func (c *cell) each(q quantity) []float64 {
	values := make([]float64, len(c.runs))
	for i, m := range c.runs {
		values[i] = q(m)
	}
	return values
}

// highest is the largest over all rounds.
func (c *cell) highest(q quantity) float64 { return slices.Max(c.each(q)) }

// ratios are, round by round, those to what base took in the same round: what slows the machine
// for a while slows both.
func (c *cell) ratios(base *cell, q quantity) []float64 {
	ratios := c.each(q)
	for i, value := range base.each(q) {
		ratios[i] /= value
	}
	return ratios
}

// median is the lower one of two in the middle.
func median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}
