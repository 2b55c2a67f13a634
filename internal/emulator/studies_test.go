package emulator

import (
	"net/http"
	"net/url"
	"testing"
)

// A lookup returns the items of that name verbatim.
func TestLookUp(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Studies: []byte(`[
		{"name":"A", "n": 1.50e+02},
		{"name":"é &+","x":null},
		{"id":9007199254740993,"name":"A"},
		{"name":"a"}
	]`)})
	authorization := []string{"Authorization", "Bearer " + h.token()}
	for name, want := range map[string]string{
		"A":       `[{"name":"A", "n": 1.50e+02},{"id":9007199254740993,"name":"A"}]`,
		"é &+":    `[{"name":"é &+","x":null}]`,
		"unknown": `[]`,
	} {
		r := h.do(http.MethodGet, studiesPath+"?name="+url.QueryEscape(name), "", authorization...)
		if r.status != 200 || r.header.Get("Content-Type") != jsonType || r.body != want {
			t.Errorf("%s: got %+v, want %s", name, r, want)
		}
	}
	for _, query := range []string{
		"", "?name=%20%09", "?name=a&name=a", "?name=a&id=1", "?Name=a", "?name=a;other=b", "?name=%zz",
	} {
		r := h.do(http.MethodGet, studiesPath+query, "", authorization...)
		h.wantProblem(r, 400, "exactly once and not blank")
	}
}
