package client

import (
	"runtime"
	"testing"
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
