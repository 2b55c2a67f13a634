package client

import "testing"

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
