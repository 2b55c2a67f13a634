package route

import (
	"net/url"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	const system = "a/b c:d"
	for name, test := range map[string]struct {
		systems                        []string
		notificationsPath, studiesPath string
		want                           map[string]route
	}{
		"defaults": {nil, "", "", map[string]route{
			"/oauth2/token":       {to: Token},
			"/notifications/v1":   {to: Submission},
			"/studies/v1":         {to: Studies},
			"/%73tudies/v1":       {to: Studies},
			"/studies/v1/":        {to: Other},
			"//studies/v1":        {to: Other},
			"/studies%2Fv1":       {to: Other},
			"/Studies/v1":         {to: Other},
			"/":                   {to: Other},
			"/_emulator/ledger":   {to: Admin},
			"/_emulator":          {to: Admin},
			"/x/_emulator/ledger": {to: Other},
		}},
		"system": {[]string{system}, "", "", map[string]route{
			"/a%2Fb%20c:d/notifications/v1":   {Submission, system},
			"/a%2Fb%20c%3Ad/notifications/v1": {Submission, system},
			"/a%2fb%20c:d/studies/v1":         {Studies, system},
			"/a/b%20c:d/studies/v1":           {to: Other},
			"/studies/v1":                     {to: Other},
		}},
		"two systems": {[]string{"emea", "apac"}, "", "", map[string]route{
			"/emea/notifications/v1": {Submission, "emea"},
			"/apac/notifications/v1": {Submission, "apac"},
			"/apac/studies/v1":       {Studies, "apac"},
			"/emea/apac/studies/v1":  {to: Other},
		}},
		"paths": {[]string{"sys"}, "gate/way/send", "/find%2Fthem/", map[string]route{
			"/gate/way/send":        {to: Submission},
			"/find%2Fthem/":         {to: Studies},
			"/find%2Fthem":          {to: Other},
			"/sys/gate/way/send":    {to: Other},
			"/sys/notifications/v1": {to: Other},
		}},
	} {
		table, err := New(test.systems, test.notificationsPath, test.studiesPath)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range test.want {
			u, err := url.Parse("http://localhost" + path)
			if err != nil {
				t.Fatal(err)
			}
			if to, system := table.Find(u); to != want.to || system != want.system {
				t.Errorf("%s: %s is %s of system %q, want %+v", name, path, to, system, want)
			}
		}
	}
}

// All problems are reported, one a line.
func TestNewRejects(t *testing.T) {
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
