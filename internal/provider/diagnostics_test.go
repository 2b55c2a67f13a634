package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
)

var update = flag.Bool("update", false, "write the golden file")

// situation is something that goes wrong.
type situation struct {
	name   string
	faults emulator.Faults
	dial   error // error of every dial, except for the token

	lookUp   bool
	check    bool // check_credentials
	action   bool
	atMost   bool          // delivery = "at_most_once"
	keys     bool          // whether the service recognises keys
	key      string        // the user's own; empty for a random one
	cancel   time.Duration // when the run is cancelled
	deadline time.Duration
}

func situations() []situation {
	submission := func(name, sequence string) situation {
		return situation{name: name, faults: emulator.Faults{"submission": sequence}}
	}
	token := func(name, sequence string) situation {
		return situation{name: name, faults: emulator.Faults{"token": sequence}}
	}
	lookUp := func(name, sequence string) situation {
		return situation{name: name, faults: emulator.Faults{"studies": sequence}, lookUp: true}
	}
	check := func(s situation) situation { s.check = true; return s }
	underKey := func(name, key, sequence string) situation {
		s := submission(name, sequence)
		s.keys, s.key = true, key
		return s
	}
	atMostOnce := func(s situation) situation { s.atMost = true; return s }
	inAction := func(s situation) situation { s.action = true; return s }
	cancelledIn := func(after time.Duration, s situation) situation { s.cancel = after; return s }
	within := func(limit time.Duration, s situation) situation { s.deadline = limit; return s }
	noConnection := func(name string, err error) situation { return situation{name: name, dial: err} }
	const own, lost = "checkout-1.4.2-canary", "reset-after,repeat"
	return []situation{
		submission("submission: the service rejects the content", "status:422"),
		submission("submission: bad request", "status:400"),
		submission("submission: new access tokens are rejected too", "status:401,repeat"),
		submission("submission: forbidden", "status:403"),
		submission("submission: not found", "status:404"),
		submission("submission: conflict", "status:409"),
		submission("submission: too large", "status:413"),
		submission("submission: too many requests for too long", "status:429,repeat"),
		submission("submission: too long to wait", "status:503:600"),
		submission("submission: redirected", "redirect:https://elsewhere.example.com/v1?key=1"),
		submission("submission: see other", "redirect:303:https://elsewhere.example.com/v1/1"),
		submission("submission: sign-in page", "html"),
		submission("submission: sign-in page called JSON", "html-as-json"),
		submission("submission: server error", "status:500"),
		submission("submission: bad gateway", "html:502"),
		submission("submission: unavailable, without Retry-After", "status:503"),
		submission("submission: no answer", "hang"),
		submission("submission: connection closed before reading", "close-before"),
		submission("submission: connection closed after reading", "close-after"),
		submission("submission: accepted, answer empty", "empty"),
		submission("submission: accepted, answer is text", "text"),
		submission("submission: accepted, answer without id", "no-id"),
		submission("submission: accepted, id is a number", "bad-id"),
		submission("submission: accepted, answer broken off", "truncate"),
		submission("submission: accepted, answer too slow", "drip:5m"),
		noConnection("submission: the service cannot be reached", &net.OpError{
			Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused"),
		}),
		noConnection("submission: the name is not known", &net.DNSError{
			Err: "no such host", Name: "notifications.example.com", IsNotFound: true,
		}),
		noConnection("submission: the certificate is not trusted",
			&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}),
		noConnection("submission: a client certificate is required",
			&net.OpError{Op: "remote error", Err: tls.AlertError(116)}),
		cancelledIn(time.Second,
			submission("submission: cancelled during a wait", "status:429:60")),
		cancelledIn(time.Second,
			submission("submission: cancelled, and no answer in the grace", "hang")),
		within(10*time.Second, submission("submission: timeouts.create is reached", "hang")),
		inAction(submission("action: forbidden", "status:403")),
		inAction(submission("action: no answer", "hang")),
		inAction(submission("action: accepted, answer empty", "empty")),
		atMostOnce(submission("at most once: bad gateway", "html:502")),
		atMostOnce(cancelledIn(time.Second,
			submission("at most once: cancelled, and no answer in the grace", "hang"))),
		underKey("random key: no answer", "", lost),
		underKey("random key: conflict", "", "status:409,repeat"),
		underKey("random key: the service rejects the content", "", "status:422"),
		atMostOnce(underKey("random key, at most once: no answer", "", lost)),
		underKey("own key: no answer", own, lost),
		underKey("own key: no answer, then rejected", own, "reset-after,status:400"),
		underKey("own key: no answer, then a sign-in page", own, "reset-after,html"),
		underKey("own key: no answer, then forbidden", own, "reset-after,status:403"),
		atMostOnce(underKey("own key, at most once: no answer, then rejected", own,
			"reset-after,status:400")),
		inAction(underKey("own key, action: no answer, then rejected", own, "reset-after,status:400")),
		cancelledIn(3*time.Second,
			underKey("own key: no answer, then cancelled", own, "reset-after,status:429:60")),
		cancelledIn(100*time.Millisecond,
			underKey("own key: no answer, then cancelled before a retry", own, "reset-after")),
		underKey("own key: conflict", own, "status:409,repeat"),
		underKey("own key: the service rejects the content", own, "status:422"),
		underKey("own key: no answer, then the content rejected", own, "reset-after,status:422"),
		underKey("own key: forbidden", own, "status:403"),
		atMostOnce(underKey("own key, at most once: no answer", own, lost)),
		inAction(underKey("own key, action: no answer", own, lost)),
		inAction(underKey("own key, action: the service rejects the content", own, "status:422")),
		token("token: invalid_client", "oauth:invalid_client:401"),
		token("token: invalid_scope", "oauth:invalid_scope"),
		token("token: unauthorized_client", "oauth:unauthorized_client"),
		token("token: sign-in page", "html"),
		token("token: not found", "status:404"),
		token("token: redirected", "redirect:https://elsewhere.example.com/oauth2/token"),
		token("token: not a Bearer token", "wrong-type"),
		token("token: no token", "no-token"),
		token("token: answer empty", "empty"),
		token("token: too many requests", "status:429,repeat"),
		token("token: server error", "status:500,repeat"),
		token("token: no answer", "hang,repeat"),
		token("token: answer broken off", "truncate,repeat"),
		check(token("check: invalid_client", "oauth:invalid_client:401")),
		check(token("check: not found", "status:404")),
		check(token("check: no answer", "hang,repeat")),
		check(cancelledIn(time.Second, token("check: cancelled", "hang"))),
		lookUp("lookup: not found", "status:404"),
		lookUp("lookup: server error", "status:500,repeat"),
		lookUp("lookup: redirected elsewhere", "redirect:https://elsewhere.example.com/v1"),
		lookUp("lookup: sign-in page", "html"),
		lookUp("lookup: no answer", "hang,repeat"),
	}
}

// The golden file holds all texts that users see when a request fails, to be read from top to
// bottom.
func TestDiagnosticsGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, s := range situations() {
		synctest.Test(t, func(t *testing.T) {
			fmt.Fprintf(&b, "## %s\n\n", s.name)
			for _, d := range s.happen(t) {
				fmt.Fprintf(&b, "%s: %s\n\n%s\n\n", d.Severity(), d.Summary(), d.Detail())
			}
		})
	}
	got := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).
		ReplaceAllString(b.String(), "RANDOM_KEY")
	// The last of several attempts: backoff has jitter. What is in doubt is the first, at 00:00:00.
	got = regexp.MustCompile(`2000-01-01T[0-9:]+:(0[1-9]|[1-5][0-9])Z`).
		ReplaceAllString(got, "LATER")
	got = regexp.MustCompile(`[0-9a-f]{32}`).ReplaceAllString(got, "TRACE_ID")
	got = regexp.MustCompile(`[0-9a-f]{16}`).ReplaceAllString(got, "REQUEST_ID")
	golden := filepath.Join("testdata", "diagnostics.golden.md")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("The texts differ from %s; read what has changed and write it with -update:\n%s",
			golden, firstDifference(string(want), got))
	}
	if strings.Contains(got, "canary") {
		t.Error("the texts hold the client secret or a key of the user's own")
	}
}

// happen causes s for a client of its own, under a fake clock, and returns the diagnostics.
func (s situation) happen(t *testing.T) diag.Diagnostics {
	t.Helper()
	var e *emulator.Emulator
	c, e := newClientInMemory(t, s.faults, func(config *client.Config) {
		if s.keys {
			config.IdempotencyKeyHeader = keyHeader
		}
		dial := config.Dial
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if s.dial != nil && e.Ledger().TokenRequests > 0 {
				return nil, s.dial
			}
			return dial(ctx, network, address)
		}
	})
	defer time.Sleep(client.DefaultTimeout) // a token may still be fetched for others
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if s.dial != nil { // after the token was fetched, by a lookup
		if _, _, err := c.Studies(ctx, "ATLAS"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // until its connection is closed
	}
	if s.deadline > 0 {
		ctx, cancel = context.WithTimeout(ctx, s.deadline)
		defer cancel()
	}
	if s.cancel > 0 {
		defer time.AfterFunc(s.cancel, cancel).Stop()
	}
	if s.check {
		var diags diag.Diagnostics
		data := providerData{client: c}
		data.check.wanted = true
		data.checkCredentials(ctx, &diags)
		return diags
	}
	if s.lookUp {
		_, _, err := c.Studies(ctx, "ATLAS")
		if err == nil {
			t.Fatalf("%s: no error", s.name)
		}
		return diag.Diagnostics{failedRequest("Unable to look up studies", "", err, "")}
	}
	then := resourceAdvice
	if s.action {
		then = actionAdvice
	}
	request := client.NotificationRequest{
		Priority: "HIGH", Channels: []client.Channel{{Type: "slack"}},
	}
	receipt, err := c.SubmitNotification(ctx, request, s.key)
	switch {
	case err != nil && s.atMost:
		return diag.Diagnostics{unconfirmedSubmission(requestError(err))}
	case err != nil:
		return diag.Diagnostics{failedSubmission(requestError(err), then)}
	case receipt.NotificationID == "":
		return diag.Diagnostics{missingID(receipt, then)}
	}
	t.Fatalf("%s: nothing went wrong", s.name)
	return nil
}

func firstDifference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range gots {
		if i >= len(wants) || wants[i] != line {
			return fmt.Sprintf("line %d: %s", i+1, line)
		}
	}
	return "lines are missing at the end"
}
