package route

import (
	"net/url"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		systems                        []string
		notificationsPath, studiesPath string
		want                           map[string]Target
	}{
		"defaults": {nil, "", "", map[string]Target{
			"/oauth2/token":       Token,
			"/notifications/v1":   Submission,
			"/studies/v1":         Studies,
			"/%73tudies/v1":       Studies,
			"/studies/v1/":        Other,
			"//studies/v1":        Other,
			"/studies%2Fv1":       Other,
			"/Studies/v1":         Other,
			"/":                   Other,
			"/oauth2/token/":      Other,
			"/_emulator/ledger":   Admin,
			"/_emulator":          Admin,
			"/x/_emulator/ledger": Other,
		}},
		"system": {[]string{"a/b c:d"}, "", "", map[string]Target{
			"/a%2Fb%20c:d/notifications/v1":   Submission,
			"/a%2Fb%20c%3Ad/notifications/v1": Submission,
			"/a%2fb%20c:d/studies/v1":         Studies,
			"/a/b%20c:d/studies/v1":           Other,
			"/studies/v1":                     Other,
		}},
		"two systems": {[]string{"emea", "apac"}, "", "", map[string]Target{
			"/emea/notifications/v1": Submission,
			"/apac/notifications/v1": Submission,
			"/apac/studies/v1":       Studies,
			"/emea/apac/studies/v1":  Other,
			"/studies/v1":            Other,
		}},
		"leading slashes": {nil, "/send", "/find/all", map[string]Target{
			"/send":      Submission,
			"/find/all":  Studies,
			"//send":     Other,
			"//find/all": Other,
		}},
		"paths": {[]string{"sys"}, "gate/way/send", "/find%2Fthem/", map[string]Target{
			"/gate/way/send":          Submission,
			"/find%2Fthem/":           Studies,
			"/find%2Fthem":            Other,
			"/sys/gate/way/send":      Other,
			"/sys/notifications/v1":   Other,
			"/gate/way/send?ignored=": Submission,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := New(test.systems, test.notificationsPath, test.studiesPath)
			if err != nil {
				t.Fatal(err)
			}
			for path, want := range test.want {
				u, err := url.Parse("http://localhost" + path)
				if err != nil {
					t.Fatal(err)
				}
				if got, _ := table.Find(u); got != want {
					t.Errorf("%s leads to %s, want %s", path, got, want)
				}
			}
		})
	}
}

func TestFindTellsTheSystem(t *testing.T) {
	t.Parallel()
	table, err := New([]string{"emea", "a b"}, "", "/find")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/emea/notifications/v1": "emea", "/a%20b/notifications/v1": "a b", "/find": "",
		"/oauth2/token": "", "/emea/find": "",
	} {
		u, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := table.Find(u); got != want {
			t.Errorf("%s is of system %q, want %q", path, got, want)
		}
	}
}

// Each problem is one line, all of them are reported.
func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		systems                        []string
		notificationsPath, studiesPath string
		want                           []string
	}{
		{nil, "n?x=y", "s#x", []string{
			`the notifications path "n?x=y" must not hold a query or a fragment`,
			`the studies path "s#x" must not hold a query or a fragment`,
		}},
		{nil, "", "%zz", []string{
			`the studies path "%zz" is not escaped as in a URL: invalid URL escape "%zz"`,
		}},
		{nil, "_emulator", "/_emulator", []string{
			"the notifications path must not be below /_emulator",
			"the studies path must not be below /_emulator",
			"the studies path must differ from that of every other endpoint",
		}},
		{[]string{"_emulator", "a", "a"}, "oauth2/%74oken", "", []string{
			"the notifications path must differ from that of every other endpoint",
			"the studies path must not be below /_emulator",
			"the studies path must differ from that of every other endpoint",
		}},
	} {
		_, err := New(test.systems, test.notificationsPath, test.studiesPath)
		if want := strings.Join(test.want, "\n"); err == nil || err.Error() != want {
			t.Errorf("got\n%v\nwant\n%s", err, want)
		}
	}
}
