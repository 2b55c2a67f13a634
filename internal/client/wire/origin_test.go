package wire

import (
	"net/url"
	"testing"
)

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
