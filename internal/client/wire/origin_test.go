package wire

import (
	"net/url"
	"testing"
)

func TestOrigin(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://a.test":              "http://a.test:80",
		"HTTPS://A.Test/b?c#d":       "https://a.test:443",
		"https://a.test:80":          "https://a.test:80",
		"http://user@a.test:8080/":   "http://a.test:8080",
		"http://[::1]:8080":          "http://[::1]:8080",
		"https://[FE80::1]":          "https://[fe80::1]:443",
		"https://127.0.0.1:":         "https://127.0.0.1:443",
		"http://localhost.test./b/c": "http://localhost.test.:80",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := Origin(u); got != want {
			t.Errorf("%s is at %s, want %s", address, got, want)
		}
	}
}
