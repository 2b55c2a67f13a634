//go:build unix

package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// limit is the most that a contestant may need in a workload, as the median of all rounds: of the
// cost, or of its ratio to another one in the same round.
type limit struct {
	unit     string
	of, over string // WORKLOAD CONTESTANT
	most     float64
}

var limits = []limit{
	{"sec/op", "set notification", "set no-op", 1.5},
	{"cpu-sec/op", "set notification", "set no-op", 1.5},
	{"provider-cpu-sec/op", "recipients notification", "", 2},
	{"provider-cpu-sec/op", "recipients notification", "recipients-1000 notification", 10},
	{"sec/op", "recipients notification", "recipients terraform_data", 2.2},
	{"sec/op", "studies-1000 notification", "studies-1000 http", 1.2},
	{"cpu-sec/op", "studies-1000 notification", "studies-1000 http", 1.2},
	{"sec/op", "studies notification", "studies http", 1.5},
	{"cpu-sec/op", "studies notification", "studies http", 1.5},
	{"provider-peak-MB", "set notification", "", 60},
	{"provider-peak-MB", long + " notification", "", 80},
	{"tokens", "set notification", "", 1},
	{"connections", "set notification", "", 11}, // parallelism 10, and the token's
	{"idle-requests", "set notification", "", 0},
	{"binary-MB", "set notification", "", 19},
}

// measurements are the costs of each round, by WORKLOAD CONTESTANT and then by unit.
type measurements map[string][]map[string]float64

// check prints each limit with the median of what was measured, and the lowest and highest round.
// It reports whether all were measured and none is exceeded.
func (m measurements) check() bool {
	passed := true
	for _, l := range limits {
		if strings.HasPrefix(l.of, long+" ") && !*full {
			continue
		}
		rounds, title := m[l.of], l.unit+" of "+l.of
		if l.over != "" {
			title += " over " + l.over
			if len(m[l.over]) != len(rounds) {
				rounds = nil
			}
		}
		var values []float64
		for i, costs := range rounds {
			value, measured := costs[l.unit]
			if l.over != "" {
				value /= m[l.over][i][l.unit]
			}
			if measured {
				values = append(values, value)
			}
		}
		if len(values) == 0 {
			passed = false
			fmt.Println("MISSED  not measured:", title)
			continue
		}
		slices.Sort(values)
		n, verdict := len(values), "ok"
		median := (values[(n-1)/2] + values[n/2]) / 2
		if median > l.most || math.IsNaN(median) {
			verdict, passed = "MISSED", false
		}
		fmt.Printf("%-6s  %.3g (%.3g to %.3g), at most %v: %s\n", verdict, median, values[0],
			values[n-1], l.most, title)
	}
	return passed
}
