package client

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// When all tokens are revoked while ten requests are under way, one new token serves them all.
func TestRevocationCostsOneToken(t *testing.T) {
	inWorld(t, func(s *emulator.Config, _ *Config) {
		s.Latency = 10 * time.Millisecond
	}, func(t *testing.T, w *world) {
		fetchToken(t, w.client)
		w.RevokeTokens()
		together(10, func() { submitted(t, w.client) })
		if ledger := w.Ledger(); ledger.TokenRequests != 2 || len(ledger.Submissions) != 10 {
			t.Errorf("%d token requests, %d submissions", ledger.TokenRequests,
				len(ledger.Submissions))
		}
	})
}

// A token that was already on its way when the first one was refused may have been revoked with it,
// and is not the new one that a 401 gets.
func TestTokenFetchedBeforeTheRefusalIsNotNew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tokens, submissions atomic.Int32
		c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path == "/oauth2/token" {
				n := tokens.Add(1)
				if n == 2 {
					time.Sleep(3 * time.Second)
				}
				_, _ = fmt.Fprintf(w,
					`{"access_token":"t%d","token_type":"Bearer","expires_in":3600}`, n)
				return
			}
			submissions.Add(1)
			if r.Header.Get("Authorization") != "Bearer t3" {
				time.Sleep(time.Second)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = fmt.Fprint(w, `{"notification_id":"a"}`)
		}, nil)
		fetchToken(t, c)
		time.Sleep(time.Hour - 30*time.Second) // the next request begins an early refresh
		submitted(t, c)
		if tokens.Load() != 3 || submissions.Load() != 3 {
			t.Errorf("%d tokens, %d submissions", tokens.Load(), submissions.Load())
		}
	})
}

// Token answers are JSON whatever they are called. Of one that succeeded nothing else is quoted: it
// may be a token.
func TestTokenAnswers(t *testing.T) {
	t.Parallel()
	const good = `{"access_token":"t","token_type":"bearer"}`
	const notAToken = "not a token response (RFC 6749, section 5.1)"
	for name, test := range map[string]struct {
		status                     int
		contentType, body, wantErr string
	}{
		"JSON called a form": {200, "application/x-www-form-urlencoded", good, ""},
		"JSON called HTML":   {201, "text/html", "\xef\xbb\xbf" + good, ""},
		"largest":            {200, "", good + strings.Repeat(" ", 1<<20-len(good)), ""},
		"too large": {200, "", good + strings.Repeat(" ", 1<<20-len(good)+1),
			"200 OK: the response is larger than this provider reads"},
		"HTML":          {200, "text/html", `<html>canary`, "200 OK"},
		"HTML with 201": {201, "text/html", `<html>canary`, "201 Created: " + notAToken},
		"error": {400, "", `{"error":"E1","error_description":"no such scope"}`,
			"400 Bad Request: E1: no such scope"},
		"redirect":       {307, "", ``, "307 Temporary Redirect"},
		"in broken JSON": {400, "", `{"access_token":"canary",}`, `{"access_token":"***",}`},
		"broken off":     {400, "", `{"access_token":"canary`, `400 Bad Request: {"access_token":"***`},
		"nginx": {400, "text/html", "<html>\r\n<head><title>400 No required SSL certificate was sent" +
			"</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>",
			"400 Bad Request: 400 No required SSL certificate was sent 400 Bad Request ("},
	} {
		inBubble(t, name, func(t *testing.T) {
			var requests atomic.Int32
			c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				if r.URL.Path != "/oauth2/token" {
					t.Errorf("the client secret went to %s", r.URL)
				}
				w.Header().Set("Content-Type", test.contentType)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
				_, _ = fmt.Fprint(w, test.body)
			}, nil)
			tok, err := c.AccessToken(t.Context(), nil)
			if requests.Load() != 1 {
				t.Errorf("%d requests", requests.Load())
			}
			if test.wantErr == "" {
				if err != nil || tok.Value != "t" || !tok.Expires.IsZero() {
					t.Errorf("%+v, %v", tok, err)
				}
				return
			}
			failed := failure(t, err)
			if failed.Operation != FetchToken || failed.Ambiguous ||
				failed.Status != test.status || failed.Time.IsZero() ||
				failed.Attempts != 1 ||
				(failed.Code.String() == "E1") != strings.Contains(test.wantErr, "E1: ") ||
				strings.Contains(err.Error(), "canary") ||
				!strings.Contains(err.Error(), test.wantErr) {
				t.Errorf("got %v, want %q", err, test.wantErr)
			}
		})
	}
}

// Token requests are safe to retry.
func TestTokenRequestsAreRetried(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "status:500,close-after,truncate,status:429:1")
		submitted(t, w.client)
		received(t, w.Emulator, 1, 1)
		if got := w.Ledger().TokenRequests; got != 5 {
			t.Errorf("%d token requests", got)
		}
	})
}
