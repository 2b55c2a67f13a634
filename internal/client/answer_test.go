package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/client/wire"
)

// answering is a service with tokens that answers everything else with handler.
func answering(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth2/token" {
			_, _ = fmt.Fprint(w, `{"access_token":"earlier","token_type":"Bearer"}`)
			return
		}
		handler(w, r)
	}
}

// answeringWith is a service with tokens that has one answer for everything else. field is
// one of its header.
func answeringWith(status int, field, value, body string) http.HandlerFunc {
	return answering(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(field, value)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

// answeringRaw is a service with tokens that writes raw to a connection, waits, and closes it.
func answeringRaw(raw string, wait time.Duration) http.HandlerFunc {
	return answering(func(w http.ResponseWriter, _ *http.Request) {
		conn := rawResponse(w, raw)
		time.Sleep(wait)
		_ = conn.Close()
	})
}

// rawResponse writes raw to the connection of a request.
func rawResponse(w http.ResponseWriter, raw string) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, raw)
	return conn
}

// What an accepted answer holds or is called does not unsend the notification: only an HTML
// document with the status of a page is none of the service's answers.
func TestAcceptedOrPage(t *testing.T) {
	t.Parallel()
	const html, notJSON = "text/html; charset=utf-8", "is not a JSON object"
	const page = "<!-- a gateway --><!DOCTYPE html><title>Sign in</title>"
	for name, test := range map[string]struct {
		status            int
		contentType, body string
		missing           string // page for an error, empty for a receipt with an id
	}{
		"JSON called HTML":    {202, html, `{"notification_id":"3f25"}`, ""},
		"a word called HTML":  {200, html, "Created", notJSON},
		"page with 202":       {202, html, page, notJSON},
		"page with 200":       {200, html, page, page},
		"page with 203":       {203, html, page, page},
		"page called nothing": {200, "", "\xef\xbb\xbf\n<html lang=en>", page},
		"script called HTML":  {200, html, "<script>location='/login'</script>", page},
		"form called HTML":    {200, html, "<form method=post action=/login>", page},
		"form called text":    {200, "text/plain", "<form>", notJSON},
		"words": {200, "", `{"ok":false,"error":"channel_not_found"}`,
			`has no member notification_id: "channel_not_found"`},
		"words in HTML": {201, html, "<p>Created <b>now", notJSON + `: "Created now"`},
		"a token":       {200, "", `{"access_token":"canary"}`, `: "{\"access_token\":\"***\"}"`},
		"cut off":       {200, "", `{"error":"chan`, notJSON + `: "{\"error\":\"chan"`},
	} {
		inBubble(t, name, func(t *testing.T) {
			c := scriptedClient(t,
				answeringWith(test.status, "Content-Type", test.contentType, test.body), nil)
			receipt, err := c.SubmitNotification(t.Context(), aNotification(), "")
			if test.missing == page {
				if failed := failure(t, err); failed.Ambiguous || failed.HTML.Empty() {
					t.Errorf("%+v", failed)
				}
				return
			}
			if err != nil || receipt.MissingID.Empty() != (test.missing == "") ||
				!strings.Contains(receipt.MissingID.String(), test.missing) {
				t.Errorf("%+v, %v", receipt, err)
			}
		})
	}
}

// What a header says decides, too: a firewall and a sign-in have not passed the submission on, and
// what redirects within its origin may have carried it out.
func TestOutcomeByHeader(t *testing.T) {
	t.Parallel()
	const (
		accepted = "accepted"
		not      = "not submitted"
		perhaps  = "may have been submitted"
	)
	for _, test := range []struct {
		status               int
		field, value, answer string
		want                 string
	}{
		{202, "X-Amzn-Waf-Action", "challenge", "", not},
		{200, "x-amzn-waf-action", "captcha", `{"notification_id":"3f25"}`, not},
		{405, "X-Amzn-Waf-Action", "captcha", "", not},
		{500, "X-Amzn-Waf-Action", "challenge", "", perhaps},
		{202, "X-Amzn-Requestid", "challenge", "", accepted},

		{302, "Location", testHost + "/notifications/3f25", "", perhaps},
		{302, "Location", "HTTP://NOTIFICATIONS.test:80/login", "", perhaps},
		{302, "Location", "/login", "", perhaps},
		{302, "Location", "?a=b", "", perhaps},
		{302, "Location", "", "", perhaps},
		{302, "Location", "http://%zz/", "", perhaps},
		{302, "X-Other", "https://sso.test/", "", perhaps},
		{302, "Location", "https://notifications.test/", "", not},
		{302, "Location", testHost + ":8080/", "", not},
		{302, "Location", "//sso.test/login", "", not},
		{303, "Location", "https://sso.test/", "", perhaps},
		{307, "Location", "/login", "", not},
	} {
		inBubble(t, fmt.Sprint(test.status, " ", test.field, " ", test.value), func(t *testing.T) {
			requests := 0
			c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.Header().Set(test.field, test.value)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.answer)
			}), nil)
			_, err := c.SubmitNotification(t.Context(), aNotification(), "")
			got := accepted
			if failed, ok := errors.AsType[*Error](err); ok {
				got = not
				if failed.Ambiguous {
					got = perhaps
				}
				firewall := test.value
				if test.field == "Location" || test.field == "X-Other" || test.status == 500 {
					firewall = ""
				}
				if failed.Firewall.String() != firewall {
					t.Errorf("firewall: %q", failed.Firewall)
				}
			}
			if got != test.want || requests != 1 {
				t.Errorf("%s after %d requests, want %s: %v", got, requests, test.want, err)
			}
		})
	}
}

// A lookup and a token request that a firewall blocks fail at once.
func TestBlocked(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/oauth2/token", "/studies/v1"} {
		inBubble(t, path, func(t *testing.T) {
			requests := 0
			c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == path {
					requests++
					w.Header().Set("X-Amzn-Waf-Action", "challenge")
					w.WriteHeader(http.StatusAccepted)
					return
				}
				_, _ = io.WriteString(w, `{"access_token":"t","token_type":"Bearer"}`)
			}, nil)
			_, _, err := c.Studies(t.Context(), "ATLAS")
			if failed := failure(t, err); failed.Firewall.String() != "challenge" || requests != 1 ||
				failed.Status != http.StatusAccepted {
				t.Errorf("%d requests, %v", requests, err)
			}
		})
	}
}

// A switch to another protocol is an answer like any other, and ends.
func TestSwitchingProtocols(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const raw = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
		c := scriptedClient(t, answeringRaw(raw, time.Hour), nil)
		began := time.Now()
		if failed := notSubmitted(t, c); !failed.Ambiguous || time.Since(began) > 0 ||
			failed.Status != http.StatusSwitchingProtocols {
			t.Errorf("%+v", failed)
		}
		time.Sleep(time.Hour)
	})
}

// A redirect is quoted without what may be a secret; one to something that is not an address is the
// status that came.
func TestLocation(t *testing.T) {
	t.Parallel()
	for location, want := range map[string]string{
		"http://%zz/?token=canary":                 "",
		"//user:canary@sso.test/a?b=canary#canary": "http://sso.test/a",
	} {
		synctest.Test(t, func(t *testing.T) {
			c := scriptedClient(t, answeringWith(http.StatusFound, "Location", location, ""), nil)
			if failed := notSubmitted(t, c); failed.Status != http.StatusFound ||
				failed.Location.String() != want || strings.Contains(failed.Error(), "canary") {
				t.Errorf("%s: %+v", location, failed)
			}
		})
	}
}

// Sensitive content is not quoted where an answer breaks off, or where an address would be cut in
// the middle of it.
func TestSecretFieldsInOddPlaces(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"trailer": "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"5\r\nhello\r\n0\r\nfoo sword#canary?fish@\r\n\r\n",
		"location": "HTTP/1.1 302 Found\r\nLocation: /login/sword#canary?fish@\r\n" +
			"Content-Length: 0\r\n\r\n",
		"user information": "HTTP/1.1 302 Found\r\nLocation: //sword#canary?fish@b/\r\n" +
			"Content-Length: 0\r\n\r\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			c := scriptedClient(t, answeringRaw(raw, 0), nil)
			request := aNotification()
			request.Channels[0].SecretFields = map[string]string{"a": "sword#canary?fish@"}
			receipt, err := c.SubmitNotification(t.Context(), request, "")
			text := fmt.Sprint(receipt, err)
			if failed, ok := errors.AsType[*Error](err); ok {
				text += failed.Location.String() + failed.URL.String()
			}
			for _, part := range []string{"sword", "canary", "fish"} {
				if strings.Contains(text, part) {
					t.Errorf("%s: %s", name, text)
				}
			}
		})
	}
}

// What is sensitive in one notification is not quoted where the service repeats the request.
func TestSecretFieldsAreNotQuoted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, answering(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", `id-xyz/def+gh=="`)
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = io.Copy(w, r.Body)
		}), nil)
		request := aNotification()
		request.Channels[0].SecretFields = map[string]string{"pin": `xyz/def+gh=="`, "n": "1"}
		_, err := c.SubmitNotification(t.Context(), request, "")
		text := err.Error()
		if strings.Contains(text, "xyz") || !strings.Contains(text, `"n":"1","pin":"***"`) ||
			!strings.Contains(text, ` (to the server "id-***") (request id `) {
			t.Error(text)
		}
	})
}

// A long answer is read as JSON before it is masked and cut: what it repeats does not hide what it
// says.
func TestLongEchoHidesNoReason(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		body := fmt.Sprintf(`{"sent":%q,"title":"Unprocessable","detail":"no canary: canary-pin"}`,
			strings.Repeat("canary-pin, ", 20<<10/12))
		c := scriptedClient(t, answeringWith(422, "Content-Type", "application/json", body), nil)
		request := aNotification()
		request.Channels[0].SecretFields = map[string]string{"pin": "canary-pin"}
		_, err := c.SubmitNotification(t.Context(), request, "")
		if got := failure(t, err).Message.String(); got != "Unprocessable: no canary: ***" {
			t.Error(got)
		}
	})
}

// What an answer calls a token is masked in the error about that answer, and nowhere else.
func TestTokensOfAnAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		says := `{"error":"no canary-1","Refresh-Token":["canary-1"],` +
			`"token_endpoint":"` + testHost + `","token_type":"studies"}`
		c := scriptedClient(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, says)
		}, nil)
		_, err := c.AccessToken(t.Context(), nil)
		if got := failure(t, err).Message.String(); got != "no ***" {
			t.Error(got)
		}
		says = `{"message":"no canary-1 for studies"}`
		_, _, err = c.Studies(t.Context(), "A")
		failed := failure(t, err)
		if got := failed.Message.String(); got != "no canary-1 for studies" ||
			failed.URL.String() != testHost+"/oauth2/token" {
			t.Error(err)
		}
	})
}

// The id under which the server logged a request is told where it is another than the request's.
func TestServerID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"": "", "another": "another"} {
		synctest.Test(t, func(t *testing.T) {
			c := scriptedClient(t, answering(func(w http.ResponseWriter, r *http.Request) {
				parts := strings.Split(r.Header.Get("Traceparent"), "-")
				w.Header().Set("X-Request-Id", cmp.Or(id, parts[2]))
				w.WriteHeader(http.StatusUnprocessableEntity)
			}), nil)
			if failed := notSubmitted(t, c); failed.ServerID.String() != want {
				t.Errorf("%q: %+v", id, failed)
			}
		})
	}
}

// Answers are read up to a bound. A lookup needs all of its answer, an accepted notification
// nothing but its id.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, answering(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				_, _ = io.WriteString(w, `{"notification_id":"x","more":"`)
			}
			_, _ = io.WriteString(w, strings.Repeat(" ", 17<<20))
		}), nil)
		_, _, err := c.Studies(t.Context(), "A")
		if failed := failure(t, err); failed.Attempts != 1 || !errors.Is(err, wire.ErrTooLarge) {
			t.Error(err)
		}
		receipt, err := c.SubmitNotification(t.Context(), aNotification(), "")
		if err != nil || !strings.Contains(receipt.MissingID.String(), "broke off after 1048576 bytes") {
			t.Errorf("%+v, %v", receipt, err)
		}
	})
}

// Secrets are not quoted, wherever the service puts them and however it spells them.
func TestSecretsAreNotQuoted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, answering(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasPrefix(r.URL.Path, "/studies/v1/"):
				http.NotFound(w, r)
			case r.Method == http.MethodGet:
				w.Header().Set("Location", r.URL.Path+"/canary-key")
				w.WriteHeader(http.StatusFound)
			default:
				w.Header().Set("Location", "https://elsewhere.test/canary-key/p&q%22r?canary-key")
				w.Header().Set("Content-Type", "text/html; canary-key")
				_, _ = io.WriteString(w, "<html><p>p&amp;q&quot;r, key canary-key, aWQ6cCZxInI=</p>")
			}
		}), func(config *Config) {
			config.ClientSecret = `p&q"r`
			config.Headers = map[string]string{"X-Key": "ApiKey canary-key"}
		})
		_, _, err := c.Studies(t.Context(), "A")
		if failed := failure(t, err); failed.URL.String() != testHost+"/studies/v1/***" {
			t.Error(err)
		}
		failed := notSubmitted(t, c)
		if failed.Location.String() != "https://elsewhere.test/***/***" ||
			failed.HTML.String() != "text/html; ***" ||
			failed.Message.String() != "***, key ***, ***" { // the last as in Basic
			t.Errorf("%+v", failed)
		}
	})
}

// The scopes that an authorization server says it granted are text from outside like any other.
func TestGrantedScopesAreCleaned(t *testing.T) {
	t.Parallel()
	scopes := "read canary-token \x1b]0;owned\a " + testSecret + " " + strings.Repeat("x", 4000)
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/oauth2/token" {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			answer := map[string]string{"access_token": "canary-token", "scope": scopes}
			_ = json.NewEncoder(w).Encode(answer)
		}, nil)
		_, err := c.SubmitNotification(t.Context(), aNotification(), "")
		got := failure(t, err).GrantedScopes.String()
		if !strings.HasPrefix(got, "read *** ]0;owned *** xxx") || len(got) > 310 {
			t.Errorf("%q", got)
		}
	})
}
