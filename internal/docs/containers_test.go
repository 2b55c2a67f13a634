package docs

import (
	"regexp"
	"strings"
	"testing"
)

// The examples of containers reach the emulator of the image: its version, address and credentials.
func TestContainers(t *testing.T) {
	t.Parallel()
	version := regexp.MustCompile(`(?m)^VERSION *:= *(.+)$`).
		FindStringSubmatch(read(t, "GNUmakefile"))[1]
	for _, file := range []string{"examples/containers/compose.yaml", "examples/containers/gitlab-ci.yml"} {
		text := read(t, file)
		for _, pattern := range []string{
			"/notification-emulator:" + regexp.QuoteMeta(version) + "\n",
			// The first of the addresses excludes all others.
			`_EMULATOR_URL(=|: )http://emulator:8080\n`, `_AUTH_URL(=|: )http://emulator:8080\n`,
			`_BASE_URL(=|: )http://emulator:8080\n`, `_ALLOW_INSECURE_HTTP(=true|: "true")\n`,
			`_CLIENT_ID(=|: )demo-client\n`, `_CLIENT_SECRET(=|: )emulator-secret\n`,
			`alias: emulator |condition: service_healthy\n`,
		} {
			if !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("%s does not match %s", file, pattern)
			}
		}
	}
	image := read(t, "internal/cmd/notification-emulator/Dockerfile")
	for _, text := range []string{
		"\nENV EMULATOR_LISTEN=0.0.0.0:8080 EMULATOR_CLIENT_SECRET=emulator-secret\n",
		` CMD ["/notification-emulator", "health"]` + "\n", // of http://127.0.0.1:8080
	} {
		if !strings.Contains(image, text) {
			t.Errorf("the image has no %s", text)
		}
	}
}
