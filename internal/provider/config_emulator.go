package provider

import (
	"net/url"
	"strings"

	clientwire "terraform-provider-notification/internal/client/wire"
)

// emulatorVariable names the emulator that a test runs against. `notification-emulator exec` sets
// it. Where it is set, no request goes anywhere else: a provider block with addresses of its own
// wins over NOTIFICATION_AUTH_URL and NOTIFICATION_BASE_URL, and would notify people from a test.
const emulatorVariable = "NOTIFICATION_EMULATOR_URL"

// emulator returns the origin that emulatorVariable names, or "" where it is not set. A value that
// is no origin is an error: to ignore it would be to let requests out.
func (s *settings) emulator() string {
	text := s.getenv(emulatorVariable)
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil || !validPort(u.Port()) || strings.Trim(u.Path, "/") != "" ||
		strings.ContainsAny(text, "?#") {
		s.wrong.AddError("Invalid environment variable "+emulatorVariable,
			emulatorVariable+" must be the address of an emulator, such as http://127.0.0.1:8080. "+
				"Unset it to use the notification service itself.")
		return ""
	}
	return clientwire.Origin(u)
}
