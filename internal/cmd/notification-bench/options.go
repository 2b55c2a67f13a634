package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	check, full bool
	out         string
	sizes       []size // in place of the usual ones
	overMap     bool   // whether sizes are compared over a map
	only        map[string]bool
	also        []*contestant
}

func (o *options) parse(args []string) error {
	latencies := []time.Duration{0, 50 * time.Millisecond}
	var counts []int
	var rounds int
	var misused []string
	flags := flag.NewFlagSet("notification-bench", flag.ContinueOnError)
	flags.BoolVar(&o.check, "check", false, "hold the provider against its budgets instead; the exit status tells")
	flags.BoolVar(&o.full, "full", false, "compare with N = 1,000 and 5,000 too")
	flags.StringVar(&o.out, "out", "bin/bench", "`FOLDER` for comparison.md and comparison.csv")
	flags.IntVar(&rounds, "rounds", 7, "how many times each is measured, with -n")
	flags.Func("n", "`COUNTS` of resources, separated by commas, in place of the usual ones", func(text string) (err error) {
		counts, err = list(text, strconv.Atoi)
		return err
	})
	flags.BoolVar(&o.overMap, "map", false, "with -n, for_each over a map in place of a set")
	flags.Func("latency", "`DURATIONS` until the service answers, separated by commas, with -n (default 0s,50ms)", func(text string) (err error) {
		latencies, err = list(text, time.ParseDuration)
		return err
	})
	flags.Func("only", "`NAME` of a contestant to measure beside the no-op provider; may be repeated (default all)", func(name string) error {
		if o.only == nil {
			o.only = map[string]bool{noopName: true}
		}
		if !slices.Contains([]string{floorName, noopName, curlName, oursName, parallelName, recipientsName}, name) {
			return errors.New("there is no such contestant")
		}
		o.only[name] = true
		return nil
	})
	flags.Func("also", "another build of this provider to measure, as `NAME=BINARY`; may be repeated", func(text string) error {
		name, binary, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("must be NAME=BINARY")
		}
		absolute, err := filepath.Abs(binary)
		o.also = append(o.also, &contestant{name: name, configuration: "notification.tf", binary: absolute, sends: forEach})
		return err
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if counts == nil {
		needCounts := map[string]bool{"latency": true, "rounds": true, "map": true}
		flags.Visit(func(f *flag.Flag) {
			if needCounts[f.Name] {
				misused = append(misused, "-"+f.Name)
			}
		})
	}
	if len(misused) > 0 {
		return fmt.Errorf("%s: only with -n", strings.Join(misused, ", "))
	}
	for _, n := range counts {
		for _, latency := range latencies {
			o.sizes = append(o.sizes, size{n, latency, rounds})
		}
	}
	return nil
}

func list[T any](text string, parse func(string) (T, error)) ([]T, error) {
	var values []T
	for _, part := range strings.Split(text, ",") {
		value, err := parse(part)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// comparison is one table of the report.
type comparison struct {
	group
	size
}

// schedule is what to compare. Large sizes get fewer rounds: they take long, and
// what disturbs a moment matters less to them.
func (o *options) schedule(set, growth group) (comparisons []comparison) {
	const latency = 50 * time.Millisecond
	for _, s := range o.sizes {
		g := set
		if o.overMap {
			g = growth
		}
		comparisons = append(comparisons, comparison{g, s})
	}
	if len(comparisons) > 0 {
		return comparisons
	}
	for _, s := range []size{{50, 0, 7}, {50, latency, 7}, {200, 0, 7}, {200, latency, 7}} {
		comparisons = append(comparisons, comparison{set, s})
	}
	if o.full {
		for _, s := range []size{{1000, 0, 3}, {1000, latency, 3}} {
			comparisons = append(comparisons, comparison{set, s})
		}
		for _, s := range []size{{200, 0, 7}, {200, latency, 7}, {1000, 0, 3}, {1000, latency, 3}, {5000, 0, 1}} {
			comparisons = append(comparisons, comparison{growth, s})
		}
	}
	return comparisons
}
