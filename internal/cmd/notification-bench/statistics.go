package main

import (
	"cmp"
	"slices"
	"time"
)

// cell is what one contestant measured at one size and latency, in order of rounds.
type cell struct {
	group      string
	contestant string
	size
	runs []measurement
}

// median is the lower one of two in the middle; that of no values is zero.
func median[T cmp.Ordered](values []T) T {
	var zero T
	if len(values) == 0 {
		return zero
	}
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}

func (c *cell) wall() time.Duration { return median(each(c.runs, wallTime)) }
func (c *cell) cpu() time.Duration  { return median(each(c.runs, cpuTime)) }

func wallTime(m measurement) time.Duration { return m.wall }
func cpuTime(m measurement) time.Duration  { return m.cpu }

// highest is the largest of a count over all rounds.
func (c *cell) highest(count func(measurement) int64) int64 {
	return slices.Max(append(each(c.runs, count), 0))
}

// ratios are, round by round, what c took over what base took in the same round.
// What slows the machine for a while slows both.
func (c *cell) ratios(base *cell, took func(measurement) time.Duration) []float64 {
	return over(each(c.runs, took), each(base.runs, took))
}

func (c *cell) ratio(base *cell, took func(measurement) time.Duration) float64 {
	return median(c.ratios(base, took))
}

func over(took, base []time.Duration) []float64 {
	var ratios []float64
	for i := range min(len(took), len(base)) {
		ratios = append(ratios, float64(took[i])/float64(base[i]))
	}
	return ratios
}

func each[T any](runs []measurement, value func(measurement) T) []T {
	values := make([]T, len(runs))
	for i, m := range runs {
		values[i] = value(m)
	}
	return values
}
