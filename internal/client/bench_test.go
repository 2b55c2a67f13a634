package client

import (
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// newBenchClient talks to an emulator over a network in memory.
func newBenchClient(b *testing.B) *Client {
	b.Helper()
	e, err := emulator.New(emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	network := emulator.NewNetwork()
	server := e.NewServer()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = server.Serve(network) // ends with Close
	}()
	config := testConfig(testHost)
	config.Dial = network.Dial
	b.Cleanup(func() {
		e.Close()
		_ = server.Close()
		<-stopped
	})
	return New(config)
}

func BenchmarkSubmitNotification(b *testing.B) {
	client, request := newBenchClient(b), aNotification()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.SubmitNotification(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSubmitNotificationParallel(b *testing.B) {
	client, request := newBenchClient(b), aNotification()
	b.ReportAllocs()
	b.SetParallelism(5) // 10 at a time on 2 CPUs, as Terraform does
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := client.SubmitNotification(b.Context(), request); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkStudies(b *testing.B) {
	client := newBenchClient(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.Studies(b.Context(), "ATLAS"); err != nil {
			b.Fatal(err)
		}
	}
}

// Many goroutines read a token that is there already.
func BenchmarkTokenCacheParallel(b *testing.B) {
	tokens := newBenchClient(b).tokens
	if _, err := tokens.get(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetParallelism(50)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := tokens.get(b.Context()); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
