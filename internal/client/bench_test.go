package client

import (
	"fmt"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// Secret fields of many lines cost little, and hardly anything if the submission is accepted. The
// measured time includes the emulator.
func BenchmarkSubmitNotificationSecretFields(b *testing.B) {
	for _, test := range []struct {
		name, fault  string
		fields, size int
	}{
		{"without", "pass", 0, 0},
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
