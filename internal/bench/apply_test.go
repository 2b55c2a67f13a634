//go:build unix

package bench

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// workload is what the contestants do, each with the configuration of its name in a folder of
// testdata.
type workload struct {
	name        string
	folder      string
	n, sends    int    // keys or studies, and notifications
	keys        string // expression for n keys, which are in var.keys and in keys.txt
	contestants []string
}

const (
	ours = "notification"
	long = "set-5000"                     // only with -full
	list = `split(" ", file("keys.txt"))` // has the type of the argument
)

// For every provider, Terraform converts the values of a variable, and a tuple.
var workloads = []workload{
	// name, folder, keys, notifications, expression, contestants
	{"set", "each", 200, 200, "toset(var.keys)", []string{"no-op", ours, "terraform_data", "curl"}},
	{long, "each", 5000, 5000, "toset(var.keys)", []string{ours}},
	{"map", "each", 200, 200, "{ for key in var.keys : key => key }",
		[]string{"no-op", ours, "terraform_data"}},
	{"split-1000", "recipients", 1000, 1, list, []string{"terraform_data", ours}},
	{"split", "recipients", 10_000, 1, list, []string{"terraform_data", ours}},
	{"recipients-1000", "recipients", 1000, 1, "var.keys", []string{ours}},
	{"recipients", "recipients", 10_000, 1, "var.keys", []string{"terraform_data", ours}},
	{"tuple", "recipients", 10_000, 1, "[for key in var.keys : key]", []string{ours}},
	{"studies-1000", "studies", 1000, 0, "[]", []string{"http", ours}},
	{"studies", "studies", 10_000, 0, "[]", []string{"http", ours}},
}

var (
	rounds      = flag.Int("rounds", 1, "how often each contestant applies each workload")
	full        = flag.Bool("full", false, "also apply 5,000 notifications, once")
	checkLimits = flag.Bool("limits", false, "apply only what has limits, and fail above them")
)

// In each round the contestants take turns, in random order, so that a slowdown of the machine does
// not always affect the same one.
func BenchmarkApply(b *testing.B) {
	m := measurements{}
	for round := range *rounds {
		for _, w := range workloads {
			if w.name == long && (!*full || round > 0) {
				continue
			}
			for _, i := range rand.Perm(len(w.contestants)) {
				contestant := w.contestants[i]
				name := w.name + " " + contestant
				if *checkLimits && !slices.ContainsFunc(limits, func(l limit) bool {
					return l.of == name || l.over == name
				}) {
					continue
				}
				b.Run(fmt.Sprintf("work=%s/with=%s/round=%d", w.name, contestant, round+1),
					func(b *testing.B) { m[name] = append(m[name], benchmark(b, w, contestant)) })
			}
		}
	}
	if *checkLimits && !m.check() {
		b.Error("a limit is exceeded")
	}
}

// benchmark reports and returns the costs of an apply, by unit.
func benchmark(b *testing.B, w workload, contestant string) map[string]float64 {
	f := newFolder(b, w, contestant)
	var costs map[string]float64
	for b.Loop() { // once, by -benchtime 1x
		costs = f.apply(b)
	}
	if w.name == "set" && contestant == ours {
		binary, err := os.Stat(filepath.Join(plugins, "terraform-provider-notification-real"))
		if err != nil {
			b.Fatal(err)
		}
		costs["binary-MB"] = float64(binary.Size()) / 1e6
		f.service.ClearLedger()
		f.terraform(b, "plan") // with a refresh
		f.terraform(b, "destroy", "-auto-approve")
		f.terraform(b, "plan") // to create everything again
		costs["idle-requests"] = float64(len(f.service.Ledger().Requests))
	}
	b.ReportMetric(0, "ns/op") // hides the time of an iteration, of which sec/op is a part
	for unit, value := range costs {
		b.ReportMetric(value, unit)
	}
	return costs
}
