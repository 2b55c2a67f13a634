//go:build unix

package acceptance

import (
	"fmt"
	"strings"
	"testing"
)

// Under `notification-emulator exec`, no request reaches an address in a provider block, even if it
// becomes known only during apply: the provider refuses to be configured.
func TestExecReachesNothingElse(t *testing.T) {
	t.Parallel()
	service := newWorkspace(t, nil) // takes the place of the real service
	service.useFakeProvider(t)
	service.write(t, oneNotification+fmt.Sprintf(`
resource "fake_later" "url" {
  input = %q
}
provider "notification" {
  auth_url      = fake_later.url.output
  base_url      = fake_later.url.output
  client_id     = "id"
  client_secret = %q
}
`, service.url, testSecret))
	out, status := service.script(t, "notification-emulator exec -expect 1 -- "+
		"terraform apply -input=false -auto-approve -no-color")
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
	for _, part := range []string{
		"Invalid provider setting base_url", "NOTIFICATION_EMULATOR_URL",
		"so that a test notifies nobody", "Received by the emulator: 0 notifications",
	} {
		if !strings.Contains(words(out), part) {
			t.Errorf("the output lacks %q:\n%s", part, out)
		}
	}
	service.sent(t)
}
