package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// The outcome of a submission: how many requests and tokens it takes, and how many notifications
// the service recorded. Only a 401 drops the token, and is retried once.
func TestOutcomeOfSubmission(t *testing.T) {
	t.Parallel()
	const tooSlow = "time limit of one attempt was reached (30s)"
	for name, test := range map[string]struct {
		fault    string
		outcome  outcome
		requests int
		tokens   int
		recorded int
		text     string // of the error, or of noID
	}{
		// fault, outcome, requests, tokens, notifications recorded, text
		"accepted": {"pass", accepted, 1, 1, 1, ""},
		"425":      {"status:425", accepted, 2, 1, 1, ""},
		"429":      {"status:429*4", accepted, 5, 1, 1, ""},
		"425 repeatedly": { // the error does not mention the last wait
			"status:425:0*4,status:425:600", rejected, 5, 1, 0, "status 425 (request id",
		},
		"429, too long a wait": {"status:429:301", rejected, 1, 1, 0, "wait 5m1s, with only 4m30s left"},
		"401":                  {"revoke", accepted, 2, 2, 1, ""},
		"401 repeatedly":       {"status:401,repeat", rejected, 2, 2, 0, "401 Unauthorized"},
		"401, then 429":        {"revoke,status:429:0", accepted, 3, 2, 1, ""},
		"409":                  {"status:409", rejected, 1, 1, 0, "409 Conflict"},
		"499, written":         {"status-after:499", ambiguous, 1, 1, 1, "499"},
		"460, written":         {"status-after:460", ambiguous, 1, 1, 1, "460"},
		"redirect":             {"redirect:307:http://elsewhere.test/v1", rejected, 1, 1, 0, "307"},
		"503, Retry-After":     {"status-after:503:1", ambiguous, 1, 1, 1, "503 Service Unavailable"},
		"599":                  {"status:599", ambiguous, 1, 1, 0, "599"},
		"no response":          {"hang", ambiguous, 1, 1, 0, tooSlow},
		"closed after":         {"reset-after", ambiguous, 1, 1, 1, "before a response arrived (EOF)"},
		"ambiguous after 429":  {"status:429:0,status:500", ambiguous, 2, 1, 0, "500 Int"},
		"accepted, empty":      {"empty", accepted, 1, 1, 1, "the response was empty"},
		"id not a string":      {`json-after:{"notification_id":42}`, accepted, 1, 1, 1, "not a string"},
		"accepted, truncated":  {"truncate", accepted, 1, 1, 1, "broke off after"},
	} {
		inBubble(t, name, func(t *testing.T) {
			env := newTestEnv(t, testConfig())
			env.setFaults(t, "submission", test.fault)
			receipt, err := env.client.SubmitNotification(t.Context(), testNotification(), "")

			checkOutcome(t, receipt, err, test.outcome, test.text)
			ledger := env.Ledger()
			if ledger.SubmissionRequests != test.requests || ledger.TokenRequests != test.tokens ||
				ledger.Notifications != test.recorded || ledger.StudyRequests+ledger.OtherRequests > 0 {
				t.Errorf("got %+v, want %+v", ledger, test)
			}
			if err != nil {
				prefix := "cannot submit the notification: POST " + testHost + "/notifications/v1: "
				if !strings.HasPrefix(err.Error(), prefix) {
					t.Errorf("%v, want %s", err, prefix)
				}
			} else if test.text == "" {
				if want := at(t, ledger.Submissions, 0).NotificationID; receipt.NotificationID.String() != want {
					t.Errorf("got the id %s, want %s", receipt.NotificationID, want)
				}
			}
		})
	}
}

func (o outcome) String() string {
	return map[outcome]string{
		accepted: "accepted", rejected: "rejected", retryable: "retryable", ambiguous: "ambiguous",
	}[o]
}

// noID returns why a receipt has no id, and what the response says; empty if it has one.
func noID(receipt *Receipt) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", receipt.NoID, receipt.Message, receipt.JSON,
		receipt.Location))
}

// checkOutcome fails the test unless a submission has the outcome want. text is part of the error,
// or of noID; it is empty if there is an id.
func checkOutcome(t *testing.T, receipt *Receipt, err error, want outcome, text string) {
	t.Helper()
	var got outcome
	var says string
	if err == nil {
		got, says = accepted, noID(receipt)
		if (says == "") != (text == "") || (says == "") == receipt.NotificationID.Empty() {
			t.Errorf("got %+v", receipt)
		}
	} else {
		got, says = rejected, err.Error()
		if asError(t, err).Ambiguous {
			got = ambiguous
		}
	}
	if got != want || !strings.Contains(says, text) {
		t.Errorf("got %s, %q, want %s, %q", got, says, want, text)
	}
}

// The whole response decides, not only its status: a firewall did not pass the submission on, and
// whoever sent an HTML page or a redirect may not have. Any other 2xx response is stored, whatever
// its body and Content-Type. No 5xx shows who sent it: nginx, for one, can turn the timeout of its
// upstream into any response.
func TestOutcomeByResponse(t *testing.T) {
	t.Parallel()
	const (
		waf    = "\nX-Amzn-Waf-Action: "
		html   = "\nContent-Type: text/html; charset=utf-8\n\n"
		gzip   = "\nContent-Encoding: gzip" + html
		page   = "<!-- a gateway --><!DOCTYPE html><title>Sign in</title>"
		noJSON = "is not a JSON object"
		secret = "repeats a secret"
		long   = "sixteen-bytes-id"
	)
	id := func(id string) string { return "201\n\n{\"notification_id\":\"" + id + "\"}" }
	for name, test := range map[string]struct {
		response string
		outcome  outcome
		text     string // of the error, or of noID
	}{
		// Only browsers can solve a challenge. With 500 the firewall did not block the request.
		"firewall, 202": {"202" + waf + "challenge", rejected, "202 Accepted"},
		"firewall, with an id": {"200" + waf + "captcha\n\n" + `{"notification_id":"3f25"}`, rejected,
			"200 OK"},
		"firewall, 500": {"500" + waf + "challenge", ambiguous, "500"},

		"status 000":  {"000 Nothing", ambiguous, `malformed HTTP status code "000 Nothing"`},
		"status 0500": {"0500", ambiguous, `malformed HTTP status code "0500"`},
		"long header": {"201\nX: " + strings.Repeat("x", 1<<20), ambiguous, "exceeded 1048576 bytes"},

		"303":          {"303\nLocation: https://sso.test/", ambiguous, ""},
		"302, sign-in": {"302\nLocation: https://sso.test/\n\nSign in", ambiguous, "Sign in"},

		"503, JSON": {"503\nRetry-After: 1\n\n" + `{"error":"busy"}`, ambiguous, "busy"},
		"403, no body": {"403\nWWW-Authenticate: Bearer error=\"insufficient_scope\"\n" +
			"WWW-Authenticate: Basic\n\n{}", rejected, `Bearer error="insufficient_scope", Basic (`},
		"403, AWS": {"403\nWWW-Authenticate: Bearer error=\"insufficient_scope\"\n\n" +
			`{"message":"Forbidden"}`, rejected, `Forbidden; Bearer error="insufficient_scope" (`},
		"400, null": {"400\nWWW-Authenticate: Bearer error=\"no\"\n\nnull", rejected, `Bearer error="no" (`},
		"403, HTML": {"403" + html + page, rejected, "Sign in"},

		// Only an HTML page with a status other than 201 and 202 is not a response of the service.
		"text/html, JSON":     {"202" + html + `{"notification_id":"3f25"}`, accepted, ""},
		"text/html, text":     {"200" + html + "Created", accepted, noJSON},
		"text/html, fragment": {"201" + html + "<p>Created <b>now", accepted, noJSON + " Created now"},
		"HTML page, 202":      {"202" + html + page, accepted, noJSON},
		"HTML page, 200":      {"200" + html + page, ambiguous, "Sign in"},
		"unreadable, 200":     {"200" + gzip + "not in gzip", ambiguous, "200 OK"},
		"unreadable, 201":     {"201" + gzip + "not in gzip", accepted, "broke off after 0"},
		"cut off after the JSON": {"201\nContent-Length: 60\n\n" + `{"notification_id":"n"}`, accepted,
			""},
		"cut off in the JSON": {"200\n\n" + `{"error":"chan`, accepted, noJSON + ` {"error":"chan`},
		"id, a command": {id("##vso[task.uploadfile]/etc/hostname"), accepted,
			"a command for the runner"},
		"id, another": {id("::error::x"), accepted, "a command for the runner"},
		"id, an ARN":  {id("arn:aws:sns:eu-west-1::9b2f#[1]"), accepted, ""},

		"424": {"424\n\n{\"error\":\"2 of 3\"}", ambiguous, "2 of 3"},
		"br":  {"400\nContent-Encoding: br\n\n\x1b\x03", rejected, "400 Bad Request (request id"},
		"fields": {"422\n\n" + `{"title":"Invalid","errors":{"Priority":["no"]}}`, rejected,
			`Invalid: {"title":"Invalid","errors":{"Priority":["no"]}} (`},
		"id in an error": {"500\n\n" + `{"error":"log is full","notification_id":"9b2f"}`, ambiguous,
			`log is full: {"error":"log is full","notification_id":"9b2f"} (`},

		"no id": {"200\n\n" + `{"ok":false,"error":"no_channel"}`, accepted,
			`has no member notification_id no_channel`},
		"location": {"201\nLocation: /n/9b2f?token=x\n\n", accepted, "was empty   /n/9b2f"},
		"token": {"200\n\n" + `{"access_token":"canary"}`, accepted,
			`has no member notification_id  {"access_token":"***"}`},
		"too large": {"200\n\n" + `{"notification_id":"x","more":"` + strings.Repeat(" ", 1<<20), accepted,
			"larger than this provider reads"},

		// An id is usable unless Terraform would change it, or it reveals a secret.
		"id in Latin-1":        {id("a\xff"), accepted, "is not valid UTF-8"},
		"id, lone surrogate":   {id(`a\ud800`), accepted, "is not valid UTF-8"},
		"id, the token":        {id("n-earlier"), accepted, secret},
		"id, client secret":    {id(testSecret), accepted, secret},
		"id, a header's value": {id("x" + long + "-h"), accepted, secret},
		"id, of fields_wo":     {id(long + "-f"), accepted, secret},
		"id, the key":          {id(ownKey), accepted, ""},
		"id, a prefix":         {id("tenant-1"), accepted, ""},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.Header = http.Header{"X-Tenant": {"tenant-1"}, "X-Key": {long + "-h"}}
			c, service := scripted(t, config, test.response)
			request := testNotification()
			request.Channels[0].SecretFields = map[string]string{"a": "tenant-1", "b": long + "-f"}
			lines := new(bytes.Buffer)
			ctx := tflogtest.RootLogger(t.Context(), lines)
			receipt, err := c.SubmitNotification(ctx, request, ownKey)
			checkOutcome(t, receipt, err, test.outcome, test.text)
			hasID := err == nil && !receipt.NotificationID.Empty()
			if strings.Contains(lines.String(), "notification_id") != hasID || len(service.requests) != 1 {
				t.Errorf("%d requests, logged %s", len(service.requests), lines)
			}
		})
	}
}

// A response counts even if its connection stays open: a protocol switch; 408, which a server sends
// if the rest of the request does not arrive; and a body whose rest does not arrive in time. Its
// log line is written after the body was read.
func TestResponseOnAnOpenConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		response string
		outcome  outcome
		text     string // of the error, or why there is no id
		logged   string
	}{
		"101": {"101\nConnection: Upgrade\nUpgrade: x", ambiguous, "101 ", `"duration_ms":0,`},
		"408": {"408\nContent-Length: 0\nConnection: close", ambiguous, "408 ", `"duration_ms":0,`},
		"201, truncated": {"201\nContent-Length: 60\n\n{", accepted,
			"broke off after 1 bytes: the time limit of one attempt was reached (30s)",
			`"duration_ms":30000,"error":"the time limit of one attempt`,
		},
	} {
		inBubble(t, name, func(t *testing.T) {
			c, service := scripted(t, testConfig(), test.response)
			service.keepOpen = time.Hour
			log := new(bytes.Buffer)
			ctx := tflogtest.RootLogger(t.Context(), log)
			receipt, err := c.SubmitNotification(ctx, testNotification(), "")
			checkOutcome(t, receipt, err, test.outcome, test.text)
			if len(service.requests) != 1 || !strings.Contains(log.String(), test.logged) {
				t.Errorf("%d requests; log %s, want %s", len(service.requests), log, test.logged)
			}
			time.Sleep(time.Hour)
		})
	}
}

// What an accepted response says about failures is not lost.
func TestFailuresOfAccepted(t *testing.T) {
	t.Parallel()
	const id = `{"notification_id":"n-1",`
	for response, want := range map[string]string{
		"200\n\n" + id + `"status":"failed","Error":"all channels rejected"}`: `{"Error":"all channels rejected"}`,
		"201\n\n" + id + `"errors":{"ids":["a"]},"error":"b"}`:                `{"error":"b","errors":{"ids":["a"]}}`,
		"202\n\n" + id + `"status":"failed","error":null,"errors":[]}`:        "",
		"207\n\n" + id + `"results":[{"to":"a","status":410}]}`:               id + `"results":[{"to":"a","status":410}]}`,
		"200\n\n" + id + `"error":"for earlier"}`:                             `{"error":"for ***"}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := scripted(t, testConfig(), response)
			receipt, err := c.SubmitNotification(t.Context(), testNotification(), "")
			if err != nil || receipt.NotificationID.String() != "n-1" || receipt.Failures.String() != want {
				t.Errorf("%s: %+v, %v, want %s", response, receipt, err, want)
			}
		})
	}
}

// A request that does not say that it may be repeated is retried only if the service certainly did
// not process it.
func TestOutcomeOfZeroRequest(t *testing.T) {
	t.Parallel()
	for status := 100; status < 600; status++ {
		attempt := &wire.Attempt{URL: mustParse(testHost), Status: status, Sent: true}
		got, _ := judge(wire.Request{}, attempt)
		if (got == retryable) != (status == http.StatusTooEarly || status == http.StatusTooManyRequests) {
			t.Errorf("status %d: %s", status, got)
		}
	}
	lost := &wire.Attempt{URL: mustParse(testHost), Err: io.EOF, Sent: true}
	if got, _ := judge(wire.Request{}, lost); got != ambiguous {
		t.Errorf("no response: %s", got)
	}
}
