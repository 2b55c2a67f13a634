package main

import (
	"context"
	"fmt"
	"os"
	"slices"
)

// checkTries is how often a median over its limit is measured again, all rounds counted.
const checkTries = 3

// budget is one line of the outcome.
type budget struct {
	work       string
	got, limit float64
}

func (b budget) kept() bool { return b.got <= b.limit }

// timed is the budget for times, or ratios of times. A busy machine makes single rounds err in both
// directions: the limit is broken when three quarters of them are over it, and the outcome says so
// when the median is.
func timed(work string, rounds []float64, limit float64) budget {
	b := budget{work: work, got: median(rounds), limit: limit}
	quartile := slices.Sorted(slices.Values(rounds))[len(rounds)/4]
	if quartile <= limit && b.got > limit {
		b.work += fmt.Sprintf(": a quarter of the rounds (median: %.2f; is the machine busy?)", b.got)
		b.got = quartile
	}
	return b
}

// limit is the budget for what this provider costs of something, over what another contestant of
// the workload costs of it.
type limit struct {
	work string
	over string // name of the other one
	of   quantity
	max  float64
}

func (l limit) ratios(cells []*cell) []float64 {
	return named(cells, ours).ratios(named(cells, l.over), l.of)
}

// wallAndCPU are two limits of the same height.
func wallAndCPU(work, over string, limitOfBoth float64) []limit {
	return []limit{
		{work, over, wallTime, limitOfBoth},
		{"the same, CPU of Terraform and provider", over, cpuTime, limitOfBoth},
	}
}

// held are the workloads with limits. Most of what an apply of 200 takes beyond the no-op
// provider's is what Terraform and the framework need for this schema.
var held = []struct {
	workload

	limits []limit
}{
	{overCount, wallAndCPU("200 by count, over a no-op provider", noopProvider, 1.25)},
	{overSet.among(noop, silent, each), slices.Concat(
		wallAndCPU("200 by set, over a no-op provider", noopProvider, 1.4),
		wallAndCPU("200 by set, over this provider without sending", unsent, 1.05),
	)},
	{overMap.among(noop, each), wallAndCPU("200 by map, over a no-op provider", noopProvider, 1.4)},
	{toMany.among(dataList, recipients), []limit{
		{"10,000 recipients, over terraform_data", dataList.name, wallTime, 2.2},
	}},
	{lookup, append(
		wallAndCPU("lookup of 10,000 studies, over http and jsondecode", httpData.name, 1.5),
		limit{"the same, size of the state", httpData.name, stateSize, 1.6},
	)},
}

// check holds this provider against its budgets, each about figures of one run on one machine.
func (b *bench) check(ctx context.Context, full bool) error {
	size, err := os.Stat(b.binaries[ours])
	if err != nil {
		return err
	}
	budgets := []budget{
		{work: "size of the stripped binary, MB", got: float64(size.Size()) / 1e6, limit: 20},
	}
	if err := b.buildUnsent(ctx); err != nil {
		return err
	}
	own := map[string]*cell{} // by workload
	for _, h := range held {
		cells, err := b.hold(ctx, h.workload, h.limits)
		if err != nil {
			return err
		}
		own[h.name] = named(cells, ours)
		for _, l := range h.limits {
			budgets = append(budgets, timed(l.work, l.ratios(cells), l.max))
		}
	}
	few, err := b.compare(ctx, toMany.of(1000, 7).among(recipients))
	if err != nil {
		return err
	}
	set, many := own[overSet.name], own[toMany.name].each(providerCPU)
	budgets = append(budgets,
		timed("the provider's CPU for 10,000 recipients, s", many, 2),
		// What grows with the recipients is ten times as much; the start of a process is not.
		budget{work: "the same over that for 1,000", limit: 10,
			got: median(many) / median(few[0].each(providerCPU))},
		budget{work: "peak memory of the provider, MB", got: set.highest(providerPeak) / 1e6, limit: 60},
		budget{work: "token requests", got: set.highest(tokens), limit: 1},
		budget{work: "connections", got: set.highest(connections), limit: 32})
	if full {
		cells, err := b.compare(ctx, overMap.of(5000, 1).among(each))
		if err != nil {
			return err
		}
		budgets = append(budgets, budget{
			work: "peak memory for 5,000, MB", got: cells[0].highest(providerPeak) / 1e6, limit: 80,
		})
	}
	return report(budgets)
}

// hold measures a workload, and again while a median is over its limit.
func (b *bench) hold(ctx context.Context, w workload, limits []limit) ([]*cell, error) {
	cells, err := b.compare(ctx, w)
	over := func(l limit) bool { return median(l.ratios(cells)) > l.max }
	for try := 1; err == nil && try < checkTries && slices.ContainsFunc(limits, over); try++ {
		var again []*cell
		again, err = b.compare(ctx, w)
		for i, c := range again {
			cells[i].runs = append(cells[i].runs, c.runs...)
		}
	}
	return cells, err
}

// report prints the outcome, which is an error if a budget is missed.
func report(budgets []budget) error {
	missed := 0
	for _, one := range budgets {
		mark := "ok"
		if !one.kept() {
			mark = "MISSED"
			missed++
		}
		fmt.Printf("%-6s %6.4g, at most %4.4g: %s\n", mark, one.got, one.limit, one.work)
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d budgets missed", missed, len(budgets))
	}
	return nil
}
