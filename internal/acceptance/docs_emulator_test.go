//go:build unix

package acceptance

import (
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/ledger"
)

// The guide names every request, and the page beside the code every member of the ledger, and no
// member that is not there.
func TestGuideOfTheEmulator(t *testing.T) {
	t.Parallel()
	text := fileText(t, repository, "docs", "guides", "emulator.md")
	reference := fileText(t, repository, "internal", "emulator", "README.md")
	_, schema, ok := strings.Cut(reference, "## Ledger")
	parts := strings.Split(schema, "| Member | Type | Content |")
	if !ok || len(parts) != 4 {
		t.Fatalf("there are %d tables of members", len(parts)-1)
	}
	for i, value := range []any{emulator.Ledger{}, emulator.Submission{}, emulator.Request{}} {
		members := jsonMembers(reflect.TypeOf(value))
		var named []string
		for _, line := range strings.Split(parts[i+1], "\n") {
			cells := strings.Split(line, "|")
			if len(cells) < 4 || !strings.Contains(cells[1], "`") {
				continue
			}
			for _, name := range strings.Split(cells[1], ",") {
				named = append(named, strings.Trim(name, " `"))
			}
		}
		slices.Sort(members)
		slices.Sort(named)
		if !slices.Equal(members, named) {
			t.Errorf("%T has the members %q, and those %q are named", value, members, named)
		}
	}
	for _, path := range []string{"health", "ledger", "reset", "faults", "revoke", "events"} {
		if !strings.Contains(text, "/_emulator/"+path) {
			t.Errorf("%s is not in the guide", path)
		}
	}
	for _, parameter := range ledger.Parameters() {
		if !strings.Contains(text, "`"+parameter+"`") {
			t.Errorf("the parameter %s is not in the guide", parameter)
		}
	}
}

// The guide says what other clients get for what they send.
func TestGuideForOtherClients(t *testing.T) {
	t.Parallel()
	text := fileText(t, repository, "docs", "guides", "emulator.md")
	w := newWorkspace(t, nil)
	send := func(method, path, body string, header ...string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, w.getenv("NOTIFICATION_BASE_URL")+path,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }() // it was read
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(answer)
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	asked := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"id"}, "client_secret": {testSecret},
	}
	_, granted := send(http.MethodPost, "/oauth2/token", asked.Encode(), form...)
	asked.Set("scope", "notifications.read")
	_, narrow := send(http.MethodPost, "/oauth2/token", asked.Encode(), form...)
	tokens := regexp.MustCompile(`"access_token":"([^"]+)"`)
	bearer := []string{"Authorization", "Bearer " + tokens.FindStringSubmatch(granted)[1],
		"Content-Type", "application/json"}
	reader := []string{"Authorization", "Bearer " + tokens.FindStringSubmatch(narrow)[1],
		"Content-Type", "application/json"}
	const notification = `{"priority":"HIGH","channels":[{"type":"slack"}]}`
	for _, test := range []struct {
		row, path, body string
		header          []string
		status          int
	}{
		{"POST /oauth2/token", "", asked.Encode(), form, 200},
		{"POST /oauth2/token", "", asked.Encode() + "&scope=x", form, 400},
		{"POST /oauth2/token", "", asked.Encode(), append(form, "Authorization", "Basic eDp5"), 401},
		{"POST /[SYSTEM/]notifications/v1", "", notification, bearer, 201},
		{"POST /[SYSTEM/]notifications/v1", "", "{", bearer, 400},
		{"POST /[SYSTEM/]notifications/v1", "", notification, nil, 401},
		{"POST /[SYSTEM/]notifications/v1", "", notification, reader, 403},
		{"POST /[SYSTEM/]notifications/v1", "", strings.Repeat(" ", 1<<20+1), bearer, 413},
		{"POST /[SYSTEM/]notifications/v1", "", notification, bearer[:2], 415},
		{"POST /[SYSTEM/]notifications/v1", "", "{}", bearer, 422},
		{"GET /[SYSTEM/]studies/v1?name=NAME", "?name=ATLAS", "", bearer, 200},
		{"GET /[SYSTEM/]studies/v1?name=NAME", "?nam=ATLAS", "", bearer, 400},
		{"Anything else", "/nothing", "", bearer, 404},
		{"another method", "/studies/v1", "{}", bearer, 405},
	} {
		method, path, found := strings.Cut(strings.Replace(test.row, "[SYSTEM/]", "", 1), " /")
		if path, _, _ = strings.Cut("/"+path, "?"); !found {
			method, path = http.MethodPost, ""
		}
		got, answer := send(method, path+test.path, test.body, test.header...)
		if got != test.status {
			t.Errorf("%s %s: got %d, want %d: %s", method, path+test.path, got, test.status, answer)
		}
		_, said, _ := strings.Cut(text, test.row)
		if said, _, _ = strings.Cut(said, "\n"); !strings.Contains(said, strconv.Itoa(test.status)) {
			t.Errorf("the guide does not say that %s can get %d: %q", test.row, test.status, said)
		}
	}
}

func jsonMembers(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			names = append(names, jsonMembers(field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
