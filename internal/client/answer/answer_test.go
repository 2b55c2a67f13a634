package answer

import (
	"strings"
	"testing"
)

func TestIsHTML(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		" <!DOCTYPE html>": true, "sign in": true, "": false, `{"a`: false, " [": false, `"a"`: false,
	} {
		for _, contentType := range []string{"text/html; charset=utf-8", "application/xhtml+xml"} {
			if IsHTML(contentType, []byte(body)) != want {
				t.Errorf("%q as %s", body, contentType)
			}
		}
		if IsHTML("text/plain", []byte(body)) != strings.Contains(body, "<") {
			t.Errorf("%q as text", body)
		}
	}
}

func TestIsJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		` {"a":1} `: true, "[]\n": true, `{"a":1`: false, "{}{}": false, `"a"`: false, "1": false, "null": false,
		"": false, " ": false, "<html>": false,
	} {
		if IsJSON([]byte(body)) != want {
			t.Errorf("%q", body)
		}
	}
}

func TestOAuthCode(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{`{"error":"invalid_scope"}`: "invalid_scope", `{"error":"a"`: "", `{"error":{}}`: ""} {
		if got := OAuthCode([]byte(body)); got != want {
			t.Errorf("%s: %q", body, got)
		}
	}
}
