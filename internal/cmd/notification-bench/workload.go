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
	ours    = "this provider"
	other   = "the other binary"
	standIn = "no-op provider"

	sendsOne = -1

	noKeys = "[]"
)

// workload is what contestants are compared at. The first one is what the others are compared
// with.
type workload struct {
	name        string
	keys        string // expression for N keys
	n           int
	rounds      int
	contestants []contestant
}

var (
	noop    = contestant{name: standIn, configuration: "noop.tf", provider: standIn}
	data    = contestant{name: "terraform_data", configuration: "terraform_data.tf"}
	curl    = contestant{name: "local-exec curl", configuration: "local_exec_curl.tf", sends: 1}
	each    = contestant{name: ours, configuration: "notification.tf", provider: ours, sends: 1}
	studies = contestant{name: ours, configuration: "studies.tf", provider: ours}

	// A list has the type that the attribute wants. A tuple, such as a for expression or
	// jsondecode returns, is converted by Terraform, whatever the provider.
	recipients = contestant{
		name: ours, configuration: "recipients.tf", provider: ours, sends: sendsOne,
	}
	recipientsTuple = contestant{
		name: ours + ", tuple", configuration: "recipients_tuple.tf", provider: ours, sends: sendsOne,
	}
	dataList  = contestant{name: "terraform_data", configuration: "terraform_data_list.tf"}
	noopList  = contestant{name: standIn, configuration: "noop_list.tf", provider: standIn}
	noopTuple = contestant{
		name: standIn + ", tuple", configuration: "noop_tuple.tf", provider: standIn,
	}
	httpData = contestant{name: "http and jsondecode", configuration: "http.tf", provider: standIn}

	overSet = workload{"set", "toset(var.keys)", 200, 7, []contestant{noop, each, data, curl}}
	overMap = workload{"map", "{ for key in var.keys : key => key }", 200, 7, []contestant{
		noop, each, data,
	}}
	toMany = workload{"recipients", "var.keys", 10_000, 7, []contestant{
		dataList, recipients, noopList, recipientsTuple, noopTuple,
	}}
	lookup = workload{"studies", noKeys, 10_000, 7, []contestant{httpData, studies}}
)

// usual are the workloads of a report. Large ones get fewer rounds: they take long, and what
// disturbs a moment matters less to them.
func usual(full bool) []workload {
	workloads := []workload{
		overSet, overMap, toMany.of(1000, 7), toMany, lookup.of(1000, 7), lookup,
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
