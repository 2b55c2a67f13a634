//go:build unix

package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
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
	{"connections", "set notification", "", 32},
	{"idle-requests", "set notification", "", 0},
	{"binary-MB", "set notification", "", 19},
}

// limited reports whether a limit needs WORKLOAD CONTESTANT.
func limited(name string) bool {
	return slices.ContainsFunc(limits, func(l limit) bool { return l.of == name || l.over == name })
}

// measurements are the costs of each round by WORKLOAD CONTESTANT and unit, in seconds and MB.
type measurements map[string]map[string][]float64

func (m measurements) add(name string, costs map[string]float64) {
	if m[name] == nil {
		m[name] = map[string][]float64{}
	}
	for unit, value := range costs {
		if prefix, found := strings.CutSuffix(unit, "ns/op"); found {
			unit, value = prefix+"sec/op", value/1e9
		} else if prefix, found := strings.CutSuffix(unit, "-B"); found {
			unit, value = prefix+"-MB", value/1e6
		}
		m[name][unit] = append(m[name][unit], value)
	}
}

// ratios returns the ratio of two costs in each round.
func (m measurements) ratios(unit, of, over string) []float64 {
	values := slices.Clone(m[of][unit])
	if len(values) != len(m[over][unit]) {
		return nil
	}
	for i, value := range m[over][unit] {
		values[i] /= value
	}
	return values
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// print prints the medians, for times with the median of the ratios to the first contestant.
func (m measurements) print(out io.Writer) {
	units := []string{"sec/op", "cpu-sec/op", "provider-cpu-sec/op", "state-MB", "provider-peak-MB",
		"tokens", "connections"}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "medians\t"+strings.Join(units, "\t")+"\t")
	for _, w := range workloads {
		for _, contestant := range w.contestants {
			name := w.name + " " + contestant
			if m[name] == nil {
				continue
			}
			_, _ = fmt.Fprint(table, name)
			for i, unit := range units {
				cell := "\t-"
				if values := m[name][unit]; values != nil {
					cell = fmt.Sprintf("\t%.3g", median(values))
				}
				if r := m.ratios(unit, name, w.name+" "+w.contestants[0]); i < 2 && r != nil {
					cell += fmt.Sprintf(" (%.2f ×)", median(r))
				}
				_, _ = fmt.Fprint(table, cell)
			}
			_, _ = fmt.Fprintln(table, "\t")
		}
	}
	_ = table.Flush()
}

// check prints each limit with what was measured, and the lowest and highest round, and reports
// whether none is exceeded.
func (m measurements) check(out io.Writer) bool {
	passed := true
	for _, l := range limits {
		values, title := m[l.of][l.unit], l.unit+" of "+l.of
		if l.over != "" {
			values, title = m.ratios(l.unit, l.of, l.over), title+" over "+l.over
		}
		switch {
		case len(values) == 0 && strings.HasPrefix(l.of, long+" ") && !*full:
		case len(values) == 0:
			passed = false
			_, _ = fmt.Fprintln(out, "MISSED  not measured:", title)
		default:
			verdict := "ok"
			if got := median(values); got > l.most || math.IsNaN(got) {
				verdict, passed = "MISSED", false
			}
			_, _ = fmt.Fprintf(out, "%-6s  %.3g (%.3g to %.3g), at most %v: %s\n", verdict,
				median(values), slices.Min(values), slices.Max(values), l.most, title)
		}
	}
	return passed
}
