package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// checkEmulator submits the member without the provider, which may not send it, and looks at what
// the emulator makes of it.
func (m channelMember) checkEmulator(t *testing.T) {
	t.Helper()
	b := newBackend(t, nil)
	status, answer := b.submit(t, announcement(t, "one", m))
	if status != http.StatusCreated {
		t.Logf("the emulator answers %s", answer)
	}
	sample := m.sample(t, "one")
	filtered, shown, searched := true, true, true
	for _, text := range m.texts(sample) {
		finds := func(value string) bool {
			return b.keptChannel(t, "?"+url.Values{text.parameter: {value}}.Encode()) != nil
		}
		filtered = filtered && finds(text.value) && !finds("another") && !finds("")
		shown = shown && b.pageShows(t, "", text.value)
		searched = searched && b.pageShows(t, "?q="+url.QueryEscape(text.value), text.value)
	}
	m.mustBeIn(t, "the emulator's parser", status == http.StatusCreated)
	m.mustBeIn(t, "the emulator's ledger", reflect.DeepEqual(sample, b.keptChannel(t, "")[m.Name]))
	m.mustBeIn(t, "the filter of the emulator's ledger", filtered)
	m.mustBeIn(t, "the emulator's page", shown)
	m.mustBeIn(t, "the search of the emulator's page", searched)
}

// memberText is a text in the value of a member, and the parameter by which the ledger finds it.
type memberText struct{ parameter, value string }

func (m channelMember) texts(sample any) (texts []memberText) {
	switch sample := sample.(type) {
	case string:
		texts = append(texts, memberText{m.Name, sample})
	case []any:
		for _, text := range sample {
			texts = append(texts, memberText{m.Name, text.(string)})
		}
	case map[string]any:
		for key, text := range sample {
			texts = append(texts, memberText{m.Name + "." + key, text.(string)})
		}
	}
	return texts
}

// submit submits a notification as JSON.
func (b *backend) submit(t *testing.T, notification map[string]any) (status int, answer []byte) {
	t.Helper()
	credentials := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"id"}, "client_secret": {testSecret},
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	_, answer = b.do(t, http.MethodPost, "/oauth2/token", credentials.Encode(), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"},
	})
	if err := json.Unmarshal(answer, &token); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(notification)
	if err != nil {
		t.Fatal(err)
	}
	return b.do(t, http.MethodPost, "/notifications/v1", string(body), http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token.AccessToken},
	})
}

// keptChannel is the only channel that the ledger keeps and the query finds; nil if it finds none.
func (b *backend) keptChannel(t *testing.T, query string) map[string]any {
	t.Helper()
	status, answer := b.do(t, http.MethodGet, "/_emulator/ledger"+query, "", nil)
	var found struct {
		Submissions []struct{ Channels []map[string]any }
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		t.Fatal(err)
	}
	if status != http.StatusOK || len(found.Submissions) == 0 {
		return nil
	}
	return found.Submissions[0].Channels[0]
}

// pageShows reports whether the emulator's page has an accepted notification and, outside of
// attributes and scripts, the text.
func (b *backend) pageShows(t *testing.T, query, text string) bool {
	t.Helper()
	_, page := b.do(t, http.MethodGet, "/"+query, "", nil)
	return bytes.Contains(page, []byte(">as JSON<")) &&
		regexp.MustCompile(`>[^<]*`+regexp.QuoteMeta(text)).Match(page)
}

func (b *backend) do(
	t *testing.T, method, path, body string, header http.Header,
) (status int, answer []byte) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, b.url+path, strings.NewReader(body))
	maps.Copy(r.Header, header)
	recorder := httptest.NewRecorder()
	b.ServeHTTP(recorder, r)
	return recorder.Code, recorder.Body.Bytes()
}

// document is a file of the repository, given by its path below the root.
func document(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkDocs looks into the pages of what has the schema.
func (m channelMember) checkDocs(t *testing.T, pages ...string) {
	t.Helper()
	for _, page := range pages {
		_, members, _ := strings.Cut(document(t, page), "### Nested Schema for `channels`")
		m.mustBeIn(t, page, strings.Contains(members, "\n- `"+m.Name+"` ("))
	}
}

// checkLists looks into the lists of members on a page: the paragraphs and the rows of tables that
// name more than half of them.
func (m channelMember) checkLists(t *testing.T, members []channelMember, page string) {
	t.Helper()
	lists := 0
	for _, text := range regexp.MustCompile(`\n\n|\n\|`).Split(document(t, page), -1) {
		named := 0
		for _, member := range members {
			if member.isNamed(text) {
				named++
			}
		}
		if named*2 > len(members) {
			lists++
			line, _, _ := strings.Cut(text, "\n")
			m.mustBeIn(t, page+": "+line, m.isNamed(text))
		}
	}
	if lists == 0 {
		t.Errorf("%s has no list of the members of a channel", page)
	}
}

// isNamed reports whether the text names the member: as `subject` or, of a map, as `fields.NAME`.
func (m channelMember) isNamed(text string) bool {
	return strings.Contains(text, "`"+m.Name+"`") || strings.Contains(text, "`"+m.Name+".NAME`")
}

// isWordOf reports whether the file has the name as a word.
func (m channelMember) isWordOf(t *testing.T, path string) bool {
	t.Helper()
	return regexp.MustCompile(`\b` + m.Name + `\b`).MatchString(document(t, path))
}
