package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
)

// checkTries is how often a median over its limit is measured again, all rounds counted.
const checkTries = 3

// budget is one line of the outcome.
type budget struct {
	work       string
	got, limit float64
	exact      bool // more than the limit or less is wrong
}

func (b budget) kept() bool { return b.got == b.limit || b.got < b.limit && !b.exact }

// timed is the budget for a ratio of times. A busy machine makes single rounds
// err in both directions: the limit is broken when three quarters of them are
// over it, and the outcome says so when the median is.
func timed(work string, ratios []float64, limit float64) budget {
	b := budget{work: work, got: median(ratios), limit: limit}
	quartile := slices.Sorted(slices.Values(ratios))[len(ratios)/4]
	if quartile <= limit && b.got > limit {
		b.work += fmt.Sprintf(": a quarter of the rounds (median: %.2f; is the machine busy?)", b.got)
		b.got = quartile
	}
	return b
}

// limit is the budget for what this provider costs of something, over what the first contestant
// costs of it.
type limit struct {
	work string
	of   quantity
	max  float64
}

// check holds this provider against its budgets, each about figures of one run on one machine.
func (b *bench) check(ctx context.Context) error {
	var budgets []budget
	add := func(more ...budget) { budgets = append(budgets, more...) }

	size, err := os.Stat(b.binaries[ours])
	if err != nil {
		return err
	}
	add(budget{work: "size of the stripped binary, MB", got: float64(size.Size()) / 1e6, limit: 20})

	// 1.25 on an idle machine. What else a machine does costs more of what is larger.
	cell, ratios, err := b.hold(ctx, overSet,
		limit{"apply of 200 notifications over a no-op provider's", wall, 1.4},
		limit{"the same, CPU of Terraform and provider", cpu, 1.4})
	if err != nil {
		return err
	}
	add(ratios...)
	add(
		budget{work: "peak memory of the provider, MB", got: cell.highest(peak) / 1e6, limit: 60},
		budget{work: "token requests", got: cell.highest(tokens), limit: 1, exact: true},
		budget{work: "submissions", got: cell.highest(submissions), limit: 200, exact: true},
		budget{work: "connections", got: cell.highest(connections), limit: 32})

	few, _, err := b.hold(ctx, toMany.of(1000, 3))
	if err != nil {
		return err
	}
	many, ratios, err := b.hold(ctx, toMany,
		limit{"apply of 10,000 recipients over terraform_data's", wall, 2})
	if err != nil {
		return err
	}
	add(ratios...)
	add(budget{
		work: "the provider's CPU, over that of 1,000 recipients", limit: 10,
		got: median(many.each(providerCPU)) / median(few.each(providerCPU)),
	})

	// Not wall time: of an apply so short it says more about the rest of the machine.
	_, ratios, err = b.hold(ctx, lookup,
		limit{"lookup of 10,000 studies over http and jsondecode, CPU", cpu, 1.5},
		limit{"the same, size of the state", state, 1.6})
	if err != nil {
		return err
	}
	add(ratios...)
	return verdict(budgets)
}

// hold measures the first contestant of a workload and this provider.
func (b *bench) hold(ctx context.Context, w workload, limits ...limit) (*cell, []budget, error) {
	w.contestants = w.contestants[:2]
	var base, own *cell
	for try := range checkTries {
		cells, err := b.compare(ctx, w)
		if err != nil {
			return nil, nil, err
		}
		if try == 0 {
			base, own = cells[0], cells[1]
		} else {
			base.runs, own.runs = append(base.runs, cells[0].runs...), append(own.runs, cells[1].runs...)
		}
		if !slices.ContainsFunc(limits, func(l limit) bool {
			return median(own.ratios(base, l.of)) > l.max
		}) {
			break
		}
	}
	var budgets []budget
	for _, l := range limits {
		budgets = append(budgets, timed(l.work, own.ratios(base, l.of), l.max))
	}
	return own, budgets, nil
}

func verdict(budgets []budget) error {
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
		_, _ = fmt.Fprintf(table, "%s\t%s\t%.4g\t%s %.4g\n", // Flush tells
			verdict, one.work, one.got, relation, one.limit)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d budgets missed", missed, len(budgets))
	}
	return nil
}
