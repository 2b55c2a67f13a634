package emulator

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestLookUp(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Catalogues: map[string][]byte{"studies": []byte(`[
		{"name":"A", "n": 1.50e+02},
		{"name":"é &+","x":null},
		{"id":9007199254740993,"name":"A"},
		{"name":"a"}
	]`)}})
	token := h.token()
	for name, want := range map[string]string{
		"A":       `[{"name":"A", "n": 1.50e+02},{"id":9007199254740993,"name":"A"}]`,
		"é &+":    `[{"name":"é &+","x":null}]`,
		"unknown": `[]`,
	} {
		r := h.lookUp(token, "?name="+url.QueryEscape(name))
		if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/json" ||
			r.body != want {
			t.Errorf("%s: got %d %s, want %s", name, r.status, r.body, want)
		}
	}
	if l := h.e.Ledger(); l.StudyRequests != 3 || l.Requests[1].Query == "" {
		t.Errorf("recorded %+v", l)
	}
}

func TestLookUpInDefaultCatalogue(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	token := h.token()
	for name, want := range map[string]string{
		"ATLAS": `"dose_mg":0.1,`, "Étude Ñandú & Søn": `"id":42,`,
	} {
		if r := h.lookUp(token, "?name="+url.QueryEscape(name)); !strings.Contains(r.body, want) {
			t.Errorf("%s: got %s", name, r.body)
		}
	}
}

func TestLookUpRejects(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Catalogues: map[string][]byte{"studies": []byte("[]")}})
	token := h.token()
	for _, query := range []string{
		"", "?name=%20%09", "?name=a&name=a", "?name=a&id=1", "?Name=a", "?name=a;other=b", "?name=%zz",
	} {
		h.wantProblem(h.lookUp(token, query), http.StatusBadRequest, "exactly once and not blank")
	}
}
