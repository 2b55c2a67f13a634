package settings

import (
	"net/url"
	"strings"

	"terraform-provider-notification/internal/client/wire"
)

// emulatorVariable names the emulator that a test runs against. `notification-emulator exec` sets
// it. Where it is set, no request goes anywhere else: a provider block with addresses of its own
// wins over NOTIFICATION_AUTH_URL and NOTIFICATION_BASE_URL, and would notify people from a test.
const emulatorVariable = "NOTIFICATION_EMULATOR_URL"

// emulatorOrigin returns the origin that emulatorVariable names, or "" where it is not set. A value
// that is not an origin is an error: if it were ignored, requests would reach the service.
func (r *reader) emulatorOrigin() string {
	text := r.getenv(emulatorVariable)
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil || !validPort(u.Port()) || strings.Trim(u.Path, "/") != "" ||
		strings.ContainsAny(text, "?#") {
		r.wrong.AddError("Invalid environment variable "+emulatorVariable,
			emulatorVariable+" must be the address of an emulator, such as http://127.0.0.1:8080. "+
				"Unset it to use the notification service itself.")
		return ""
	}
	return wire.Origin(u)
}
