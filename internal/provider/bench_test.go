package provider

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
)

// inMemory is the provider with a client that connects to an emulator in the same process.
type inMemory struct {
	*notificationProvider

	data *providerData
}

func (p inMemory) Configure(
	_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	resp.ResourceData = p.data
}

// BenchmarkCreate makes the three protocol calls of a create, without Terraform, gRPC or sockets.
func BenchmarkCreate(b *testing.B) {
	create := newCreate(b)
	b.ReportAllocs()
	for b.Loop() {
		create()
	}
}

// A create never waits: the fake clock advances only when something does.
func TestCreate_waitsForNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		create := newCreate(t)
		began := time.Now()
		create()
		if took := time.Since(began); took > 0 {
			t.Errorf("%s were spent waiting", took)
		}
	})
}

// newCreate returns a function that creates one notification. Its cost includes the emulator's work
// and the encoding of the values.
func newCreate(t testing.TB) func() {
	t.Helper()
	c, _ := newClientInMemory(t, nil, nil, nil)
	s := newTestServerOf(t, inMemory{
		notificationProvider: &notificationProvider{version: "bench"},
		data:                 &providerData{client: c},
	}, map[string]any{})
	given := arguments(t, anAnnouncement+"}")
	return func() {
		mustSucceed(t, s.validate(t, given))
		s.create(t, given)
	}
}
