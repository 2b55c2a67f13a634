package provider

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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

// newCreate returns a function that creates one notification. Its cost includes the emulator's
// work.
func newCreate(t testing.TB) func() {
	t.Helper()
	c, _ := newClientInMemory(t, nil, nil, nil)
	s := newTestServerOf(t, inMemory{
		notificationProvider: &notificationProvider{version: "bench"},
		data:                 &providerData{client: c},
	}, map[string]any{})
	given := arguments(t, anAnnouncement+"}")
	none, config := s.resource(t, nil), s.resource(t, given)
	for _, attribute := range s.schema.ResourceSchemas[resourceName].Block.Attributes {
		if attribute.Computed {
			given[attribute.Name] = tftypes.UnknownValue
		}
	}
	proposed := s.resource(t, given)
	ctx := t.Context()
	return func() {
		validated := must(s.ValidateResourceConfig(ctx,
			&tfprotov6.ValidateResourceConfigRequest{TypeName: resourceName, Config: config}))
		planned := must(s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
			TypeName: resourceName, PriorState: none, ProposedNewState: proposed, Config: config,
		}))
		applied := must(s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
			TypeName: resourceName, PriorState: none, PlannedState: planned.PlannedState,
			PlannedPrivate: planned.PlannedPrivate, Config: config,
		}))
		if len(validated.Diagnostics)+len(planned.Diagnostics)+len(applied.Diagnostics) > 0 {
			t.Fatal(validated, planned, applied)
		}
	}
}
