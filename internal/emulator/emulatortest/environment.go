package emulatortest

import (
	"os"
	"strings"
)

// ClearEnvironment removes the developer's variables that change requests or emulators: settings,
// flags, proxies and the trace. Call it in TestMain, before net/http reads the proxies.
func ClearEnvironment() {
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		upper := strings.ToUpper(name)
		if strings.HasPrefix(upper, "NOTIFICATION_") || strings.HasPrefix(upper, "EMULATOR_") ||
			strings.HasSuffix(upper, "_PROXY") || upper == "TRACEPARENT" {
			_ = os.Unsetenv(name) // fails for invalid names only
		}
	}
}
