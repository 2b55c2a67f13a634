//go:build unix

package bench

import (
	"math/rand/v2"
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
	list = `split(" ", file("keys.txt"))` // has the type of the argument
)

// For every provider, Terraform converts the values of a variable, and a tuple.
var workloads = []workload{
	{"set", "each", 200, 200, "toset(var.keys)", []string{"no-op", ours, "terraform_data", "curl"}},
	{"set-5000", "each", 5000, 5000, "toset(var.keys)", []string{ours}}, // takes long
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

// The contestants run in random order, so that a temporary slowdown of the machine does not affect
// the same one in each run.
func BenchmarkApply(b *testing.B) {
	for _, w := range workloads {
		b.Run("work="+w.name, func(b *testing.B) {
			for _, i := range rand.Perm(len(w.contestants)) {
				contestant := w.contestants[i]
				b.Run("with="+contestant, func(b *testing.B) {
					f, sums := newFolder(b, w, contestant), map[string]float64{}
					for b.Loop() {
						for unit, value := range f.apply(b) {
							sums[unit] += value
						}
					}
					for unit, sum := range sums {
						b.ReportMetric(sum/float64(b.N), unit)
					}
					if w.name == "set" && contestant == ours {
						b.ReportMetric(f.idleRequests(b), "idle-requests")
						b.ReportMetric(binarySize(b), "binary-B")
					}
				})
			}
		})
	}
}

// Contestants that have a provider work, and are measured, with any Terraform.
func TestApply(t *testing.T) {
	t.Parallel()
	for contestant, w := range map[string]workload{
		"no-op": workloads[0], ours: workloads[0], "http": workloads[len(workloads)-1],
	} {
		w.n, w.sends = 2, 2
		f := newFolder(t, w, contestant)
		got, tokens := f.apply(t), 0.0
		if contestant == ours {
			tokens = 1
		}
		if got["tokens"] != tokens || got["state-B"] == 0 || got["provider-peak-B"] < 1e6 ||
			got["provider-cpu-ns/op"] <= 0 || got["provider-cpu-ns/op"] >= got["cpu-ns/op"] {
			t.Errorf("%s: %v", contestant, got)
		}
		if idle := f.idleRequests(t); idle != 0 {
			t.Errorf("%s: %v requests in plan and destroy", contestant, idle)
		}
	}
}
