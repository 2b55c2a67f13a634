package wire

import (
	"net/url"
	"testing"
)

// A lookup's redirect must keep what was asked for.
func TestHasParameters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query, wanted string
		want          bool
	}{
		{"b=2&name=A+B&c", "name=A%20B&b=2", true},
		{"name=A", "name=A&b=2", false},
		{"name=A&name=B", "name=A", false},
		{"", "", true},
		{"tenant=5;x=1&name=a", "tenant=5;x=1&name=a", true},
		{"name=a", "tenant=5;x=1&name=a", false},
		{"name=a", "filter=100%&name=a", false},
	} {
		if got := hasParameters(test.query, test.wanted); got != test.want {
			t.Errorf("%q after %q: %t", test.query, test.wanted, got)
		}
	}
}

func TestSameOrigin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"http://a.test", "HTTP://user@A.Test:80/b?c#d", true},
		{"https://a.test:443", "https://a.test:/", true},
		{"https://[FE80::1]", "https://[fe80::1]:443", true},
		{"http://a.test", "https://a.test", false},
		{"http://a.test", "http://a.test:443", false},
		{"https://a.test", "https://a.test:80", false},
		{"http://a.test", "http://a.test.", false},
	} {
		a, errA := url.Parse(test.a)
		b, errB := url.Parse(test.b)
		if errA != nil || errB != nil || SameOrigin(a, b) != test.want {
			t.Errorf("%+v: %v, %v", test, errA, errB)
		}
	}
}
