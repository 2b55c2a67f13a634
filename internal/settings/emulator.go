package settings

import "net/url"

// emulatorVariable names the emulator that a test runs against. `notification-emulator exec` sets
// it. Where it is set, no request goes anywhere else: a provider block with addresses of its own
// wins over NOTIFICATION_AUTH_URL and NOTIFICATION_BASE_URL, and would notify people from a test.
const emulatorVariable = "NOTIFICATION_EMULATOR_URL"

// emulatorAddress returns the address that emulatorVariable names; nil where it is not set. A value
// that cannot be read is an error: if it were ignored, requests would reach the service.
func (r *reader) emulatorAddress() *url.URL {
	text := r.getenv(emulatorVariable)
	if text == "" {
		return nil
	}
	u, err := absolute(text)
	if err != nil || u.Path != "" {
		r.wrong.AddError("Invalid environment variable "+emulatorVariable,
			emulatorVariable+" must be the address of an emulator, such as http://127.0.0.1:8080. "+
				"Unset it to use the notification service itself.")
		return nil
	}
	return u
}
