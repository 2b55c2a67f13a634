package main

import "testing"

func TestWantsLogs(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]bool{
		"TF_LOG=TRACE":                       true,
		"TF_LOG=JSON":                        true,
		"TF_LOG=warn":                        true,
		"TF_LOG_PROVIDER=DEBUG":              true,
		"TF_LOG_PROVIDER_NOTIFICATION=DEBUG": true,
		"TF_LOG_SDK=TRACE":                   true,
		"TF_LOG_SDK_PROTO=TRACE":             true,
		"TF_LOG=":                            false,
		"TF_LOG=off":                         false,
		"TF_LOG_PROVIDER=OFF":                false,
		"TF_LOG_CORE=TRACE":                  false,
		"TF_LOG_PATH=/tmp/log":               false,
		"TF_LOG_PATH_MASK=%s":                false,
		"TF_LOGS=TRACE":                      false,
		"XTF_LOG=TRACE":                      false,
		"PATH=/bin":                          false,
	} {
		if got := wantsLogs([]string{"HOME=/", variable}); got != want {
			t.Errorf("%s: %t", variable, got)
		}
	}
}
