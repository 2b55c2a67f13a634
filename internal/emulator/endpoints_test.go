package emulator

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The endpoint at each path, which must be exact and escaped as here, and takes one method. A
// system may precede the paths of submissions and lookups, but not those of the configuration.
func TestRoutes(t *testing.T) {
	t.Parallel()
	gateway := Config{
		TokenPath: "token", NotificationsPath: "gate/way/send", StudiesPath: "/find%2Fthem/",
	}
	similar := Config{StudiesPath: "x/notifications/v1"}
	methods := map[string]string{
		"token": http.MethodPost, "submission": http.MethodPost, "studies": http.MethodGet,
	}
	for _, test := range []struct {
		config               Config
		path, target, system string
	}{
		{Config{}, "/oauth2/token", "token", ""},
		{Config{}, "/notifications/v1", "submission", ""},
		{Config{}, "/studies/v1", "studies", ""},
		{Config{}, "/emea/oauth2/token", "other", ""},
		{Config{}, "/a%2Fb%20c:d/notifications/v1", "submission", "a/b c:d"},
		{Config{}, "/a%2fb/studies/v1", "studies", "a/b"},
		{Config{}, "/a/b/studies/v1", "other", ""},
		{Config{}, "//studies/v1", "other", ""},
		{Config{}, "/%73tudies/v1", "other", ""},
		{Config{}, "/studies/v1/", "other", ""},
		{Config{}, "/studies%2Fv1", "other", ""},
		{Config{}, "/Studies/v1", "other", ""},
		{Config{}, "/x/_emulator/y", "other", ""},

		{gateway, "/token", "token", ""},
		{gateway, "/oauth2/token", "other", ""},
		{gateway, "/sys/token", "other", ""},
		{gateway, "/gate/way/send", "submission", ""},
		{gateway, "/find%2Fthem/", "studies", ""},
		{gateway, "/find%2Fthem", "other", ""},
		{gateway, "/sys/gate/way/send", "other", ""},
		{gateway, "/notifications/v1", "other", ""},
		{similar, "/x/notifications/v1", "studies", ""}, // the exact path, despite the system
		{similar, "/y/notifications/v1", "submission", "y"},
	} {
		h := newHarness(t, test.config)
		r := h.do(http.MethodPut, test.path, "")
		recorded := h.recorded(0)
		_, system := h.route(recorded.Path)
		if recorded.Target != test.target || system != test.system {
			t.Errorf("%+v: got target %s, system %q", test, recorded.Target, system)
		}
		if method := methods[test.target]; r.header.Get("Allow") != method {
			t.Errorf("%s allows %q, want %q", test.path, r.header.Get("Allow"), method)
		} else if method != "" {
			h.wantProblem(r, http.StatusMethodNotAllowed, method)
		}
	}
	var l Ledger
	owners := map[*int]string{}
	for _, to := range endpoints {
		counter := to.counter(&l)
		if owner := owners[counter]; owner != "" || methods[to.name] == "" {
			t.Errorf("%s has no rows above, or the counter of %q", to.name, owner)
		}
		owners[counter] = to.name
	}
}

// The README lists the endpoints: their requests, their names as targets, and their counters.
func TestREADME(t *testing.T) {
	t.Parallel()
	readme, readErr := os.ReadFile("README.md")
	ledger, err := json.Marshal(Ledger{})
	if err = errors.Join(err, readErr); err != nil {
		t.Fatal(err)
	}
	want := []string{"`" + strings.Join(targets(), "`, `") + "` or `other` |"}
	for _, counter := range regexp.MustCompile(`"(\w+_requests)"`).FindAllSubmatch(ledger, -1) {
		want = append(want, "`"+string(counter[1])+"`")
	}
	for _, to := range endpoints {
		path := to.path
		if to.systems {
			path = "/[SYSTEM/]" + path[1:]
		}
		want = append(want, "\n| `"+to.method+" "+path)
	}
	for _, text := range want {
		if !strings.Contains(string(readme), text) {
			t.Errorf("README.md has no %q", text)
		}
	}
}
