package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// size is how large a comparison is.
type size struct {
	n       int           // resources in one apply
	latency time.Duration // until the service answers
	rounds  int           // how many times each contestant is measured
}

// compare measures all contestants of a group. They take turns within a round, and
// each round begins with another one, so that what slows the machine for a while
// does not meet the same one each time.
func (b *bench) compare(ctx context.Context, g group, s size, progress io.Writer) ([]*cell, error) {
	service, err := startService(ctx, b.emulator, s.latency)
	if err != nil {
		return nil, err
	}
	defer service.stop()
	cells := make([]*cell, len(g.contestants))
	for i, c := range g.contestants {
		cells[i] = &cell{group: g.name, contestant: c.name, size: s}
	}
	for round := range s.rounds {
		for turn := range g.contestants {
			i := (turn + round) % len(g.contestants)
			m, err := b.apply(ctx, g.contestants[i], service, s.n)
			if err != nil {
				return nil, err
			}
			cells[i].runs = append(cells[i].runs, m)
			_, _ = fmt.Fprintf(progress, "%s, N = %d, %s, round %d of %d: %s %.2f s\n",
				g.name, s.n, s.latency, round+1, s.rounds, g.contestants[i].name, m.wall.Seconds()) // only progress
		}
	}
	return cells, nil
}

// start is how a provider process begins.
type start struct {
	contestant string
	took       []time.Duration
	size       int64 // of the binary, in bytes
}

func (s start) ratios(base start) []float64 { return over(s.took, base.took) }

// compareStarts measures the contestants that have a provider; the no-op provider
// comes first.
func (b *bench) compareStarts(ctx context.Context, contestants []*contestant, rounds int) ([]start, error) {
	var starts []start
	var binaries []string
	for _, c := range contestants {
		if c.binary == "" {
			continue
		}
		info, err := os.Stat(c.binary)
		if err != nil {
			return nil, err
		}
		starts = append(starts, start{contestant: c.name, size: info.Size()})
		binaries = append(binaries, c.binary)
	}
	for range rounds {
		for i, binary := range binaries {
			took, err := startUp(ctx, binary, b.root)
			if err != nil {
				return nil, err
			}
			starts[i].took = append(starts[i].took, took)
		}
	}
	return starts, nil
}
