package client

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// The measured time includes the emulator.

func BenchmarkSubmitNotification(b *testing.B) {
	client, request := newTestEnv(b, nil).client, testNotification()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.SubmitNotification(b.Context(), request, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// Secret fields of many lines cost little, and hardly anything if the submission is accepted.
func BenchmarkSubmitNotificationSecretFields(b *testing.B) {
	for _, test := range []struct {
		name, fault  string
		fields, size int
	}{
		{"accepted", "pass", 20, 8 << 10},
		{"rejected", "status:422,repeat", 10, 200 << 10},
	} {
		b.Run(test.name, func(b *testing.B) {
			env, request := newTestEnv(b, nil), testNotification()
			if err := env.SetFaults(emulator.Faults{"submission": test.fault}); err != nil {
				b.Fatal(err)
			}
			fields := map[string]string{}
			for i := range test.fields {
				line := fmt.Sprintf("<p class=\"%d\">é & 'ü'</p>\n", i)
				fields[line] = strings.Repeat(line, test.size/len(line))
			}
			request.Channels[0].SecretFields = fields
			b.ReportAllocs()
			for b.Loop() {
				_, err := env.client.SubmitNotification(b.Context(), request, "")
				if (err != nil) != (test.name == "rejected") {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSubmitNotificationParallel(b *testing.B) {
	client, request := newTestEnv(b, nil).client, testNotification()
	b.ReportAllocs()
	// At least 10 at a time, like Terraform.
	b.SetParallelism((10 + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := client.SubmitNotification(b.Context(), request, ""); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkStudies(b *testing.B) {
	client := newTestEnv(b, nil).client
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := client.Studies(b.Context(), "ATLAS"); err != nil {
			b.Fatal(err)
		}
	}
}

// Many goroutines read a cached token.
func BenchmarkTokenCacheParallel(b *testing.B) {
	tokens := newTestEnv(b, nil).client.tokens
	if _, err := tokens.Get(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := tokens.Get(b.Context()); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
