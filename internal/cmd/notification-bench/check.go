package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

// The budgets, each about figures of one run on one machine. The limits leave
// room for a machine that has other work to do.
const (
	checkCount  = 200
	checkRounds = 7
	checkTries  = 3 // a median over its limit is measured again, all rounds counted

	maxWallRatio   = 1.40
	maxCPURatio    = 1.40
	maxPeak        = 72e6
	maxConnections = 32
	maxStartRatio  = 1.20
	maxSize        = 20e6
	// In the process alone: 20 to 24 were measured on an idle and a busy machine, and
	// 83 to 92 with 2 ms more in Create. Those would not show on a machine that is
	// over three times slower.
	maxCreateRatio  = 40
	createBenchmark = "BenchmarkCreate"
)

// budget is one line of the outcome.
type budget struct {
	work       string
	got, limit float64
	exact      bool // more than the limit or less is wrong
}

func (b budget) kept() bool {
	if b.exact {
		return b.got == b.limit
	}
	return b.got <= b.limit
}

// timed is the budget for a ratio of times. A busy machine makes single rounds
// err in both directions: the limit is broken when three quarters of them are
// over it, and the outcome says so when the median is.
func timed(work string, ratios []float64, limit float64) budget {
	b := budget{work: work, got: median(ratios), limit: limit}
	if quartile := slices.Sorted(slices.Values(ratios))[len(ratios)/4]; quartile <= limit && b.got > limit {
		b.work += fmt.Sprintf(": a quarter of the rounds (the median is %.2f; is the machine busy?)", b.got)
		b.got = quartile
	}
	return b
}

// check holds this provider against its budgets.
func (b *bench) check(ctx context.Context, set group) error {
	byName := map[string]*contestant{}
	for _, c := range set.contestants {
		byName[c.name] = c
	}
	set.contestants = []*contestant{byName[noopName], byName[oursName]}

	var budgets []budget
	for _, measure := range []func(context.Context, group) ([]budget, error){b.checkStart, b.checkCreate, b.checkApply, b.checkSilence} {
		more, err := measure(ctx, set)
		if err != nil {
			return err
		}
		budgets = append(budgets, more...)
	}

	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	missed := 0
	for _, one := range budgets {
		verdict, relation := "ok", "at most"
		if one.exact {
			relation = "exactly"
		}
		if !one.kept() {
			verdict = "MISSED"
			missed++
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%.4g\t%s %.4g\n", verdict, one.work, one.got, relation, one.limit) // Flush tells
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d budgets missed", missed, len(budgets))
	}
	return nil
}

func (b *bench) checkStart(ctx context.Context, pair group) ([]budget, error) {
	var ratios []float64
	var bytes int64
	for range checkTries {
		starts, err := b.compareStarts(ctx, pair.contestants, startRounds)
		if err != nil {
			return nil, err
		}
		bytes = starts[1].size
		ratios = append(ratios, starts[1].ratios(starts[0])...)
		if median(ratios) <= maxStartRatio {
			break
		}
	}
	return []budget{
		timed("time to the answer to GetProviderSchema, over the no-op provider's", ratios, maxStartRatio),
		{work: "size of the stripped binary, MB", got: float64(bytes) / 1e6, limit: maxSize / 1e6},
	}, nil
}

func (b *bench) checkApply(ctx context.Context, pair group) ([]budget, error) {
	base, ours := new(cell), new(cell)
	for range checkTries {
		cells, err := b.compare(ctx, pair, size{checkCount, 0, checkRounds}, os.Stderr)
		if err != nil {
			return nil, err
		}
		base.runs = append(base.runs, cells[0].runs...)
		ours.runs = append(ours.runs, cells[1].runs...)
		if ours.ratio(base, wallTime) <= maxWallRatio && ours.ratio(base, cpuTime) <= maxCPURatio {
			break
		}
	}
	return []budget{
		timed(fmt.Sprintf("apply of %d, wall time over the no-op provider's", checkCount), ours.ratios(base, wallTime), maxWallRatio),
		timed("the same, CPU of Terraform and provider", ours.ratios(base, cpuTime), maxCPURatio),
		{work: "peak resident memory of the provider, MB", got: float64(ours.highest(peak)) / 1e6, limit: maxPeak / 1e6},
		{work: "token requests", got: float64(ours.highest(tokenRequests)), limit: 1, exact: true},
		{work: "submissions", got: float64(ours.highest(submissions)), limit: checkCount, exact: true},
		{work: "connections", got: float64(ours.highest(connections)), limit: maxConnections},
	}, nil
}

// checkSilence counts what reaches the service when nothing has to be submitted.
func (b *bench) checkSilence(ctx context.Context, pair group) ([]budget, error) {
	service, err := startService(ctx, b.emulator, 0)
	if err != nil {
		return nil, err
	}
	defer service.stop()
	ours := pair.contestants[1]
	if _, err := b.apply(ctx, ours, service, checkCount); err != nil {
		return nil, err
	}
	var budgets []budget
	for _, command := range []struct {
		name string
		args []string
	}{
		{"plan", []string{"plan", "-detailed-exitcode"}}, // fails when there are changes
		{"refresh", []string{"apply", "-refresh-only", "-auto-approve"}},
		{"destroy", []string{"destroy", "-auto-approve"}},
	} {
		m, err := b.run(ctx, ours, service, append(command.args, "-input=false", "-no-color")...)
		if err != nil {
			return nil, err
		}
		budgets = append(budgets, budget{work: fmt.Sprintf("requests in %s of %d", command.name, checkCount), got: float64(m.requests()), exact: true})
	}
	return budgets, nil
}

// checkCreate holds the path of a create in the process, without Terraform around
// it, against that of the no-op provider. There even a millisecond shows.
func (b *bench) checkCreate(ctx context.Context, _ group) ([]budget, error) {
	binary, err := b.buildBenchmarks(ctx)
	if err != nil {
		return nil, err
	}
	var base, ours []time.Duration
	for range checkRounds {
		took, err := runBenchmarks(ctx, binary, createBenchmark)
		if err != nil {
			return nil, err
		}
		base = append(base, took[createBenchmark+"/noop"])
		ours = append(ours, took[createBenchmark+"/notification"])
	}
	if slices.Min(base) == 0 || slices.Min(ours) == 0 {
		return nil, errors.New("the benchmarks of create are missing")
	}
	ratio := float64(slices.Min(ours)) / float64(slices.Min(base))
	return []budget{{work: "create in the process alone, over the no-op provider's", got: ratio, limit: maxCreateRatio}}, nil
}
