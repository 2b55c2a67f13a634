package main

import "slices"

// contestant is one way to get the work of a workload done.
type contestant struct {
	name          string
	configuration string // file below configurations
	provider      string // whose binary Terraform starts; empty: none
	sends         int    // how many notifications for each key; sendsOne: one for all
}

const (
	ours         = "this provider"
	other        = "the other binary"
	unsent       = "this provider without sending"
	noopProvider = "no-op provider"

	sendsOne = -1
)

// workload is what contestants are compared at. A report compares the others with the first one.
type workload struct {
	name        string
	keys        string // expression for N keys, which are in var.keys and in keys.txt
	n           int
	rounds      int
	contestants []contestant
}

var (
	noop      = contestant{noopProvider, "noop.tf", noopProvider, 0}
	data      = contestant{"terraform_data", "terraform_data.tf", "", 0}
	curl      = contestant{"local-exec curl", "local_exec_curl.tf", "", 1}
	each      = contestant{ours, "notification.tf", ours, 1}
	noopCount = contestant{noopProvider, "noop_count.tf", noopProvider, 0}
	eachCount = contestant{ours, "notification_count.tf", ours, 1}
	silent    = contestant{unsent, "notification.tf", unsent, 0}
	studies   = contestant{ours, "studies.tf", ours, 0}

	// A list has the type that the attribute wants. A tuple, such as a for expression or
	// jsondecode returns, is converted by Terraform, whatever the provider.
	dataList        = contestant{"terraform_data", "terraform_data_list.tf", "", 0}
	recipients      = contestant{ours, "recipients.tf", ours, sendsOne}
	recipientsTuple = contestant{ours + ", tuple", "recipients_tuple.tf", ours, sendsOne}

	httpData = contestant{"http and jsondecode", "http.tf", noopProvider, 0}

	overCount = workload{"count", "var.keys", 200, 7, []contestant{noopCount, eachCount}}
	overSet   = workload{"set", "toset(var.keys)", 200, 7, []contestant{noop, each, data, curl}}
	overMap   = workload{"map", "{ for key in var.keys : key => key }", 200, 7, []contestant{
		noop, each, data,
	}}
	toMany = workload{"recipients", "var.keys", 10_000, 7, []contestant{
		dataList, recipients, recipientsTuple,
	}}
	toSplit = workload{"split", `split(" ", file("keys.txt"))`, 10_000, 7, []contestant{
		dataList, recipients,
	}}
	lookup = workload{"studies", "[]", 10_000, 7, []contestant{httpData, studies}}
)

// usual are the workloads of a report. Large ones get fewer rounds: they take long, and what
// disturbs a moment matters less to them.
func usual(full bool) []workload {
	workloads := []workload{
		overCount, overSet, overMap, toSplit.of(1000, 7), toSplit, toMany, lookup.of(1000, 7), lookup,
	}
	if full {
		workloads = append(workloads, overSet.of(1000, 3), overMap.of(1000, 3), overMap.of(5000, 1))
	}
	return workloads
}

func (w workload) of(n, rounds int) workload {
	w.n, w.rounds = n, rounds
	return w
}

func (w workload) among(contestants ...contestant) workload {
	w.contestants = contestants
	return w
}

// withOther adds the other binary wherever this provider takes part.
func (w workload) withOther() workload {
	for _, c := range w.contestants {
		if c.provider == ours {
			c.name, c.provider = other+c.name[len(ours):], other
			w.contestants = append(slices.Clip(w.contestants), c)
		}
	}
	return w
}

// submissions is how many a contestant makes.
func (c contestant) submissions(n int) int {
	if c.sends == sendsOne {
		return 1
	}
	return c.sends * n
}
