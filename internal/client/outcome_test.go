package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What a submission comes to, by the lines of the outcome table, how many requests it took, and how
// many notifications the service has then. Only 401 drops the token, and is retried once.
// TestBrokenConnections has the outcomes of the network.
func TestOutcomeOfSubmission(t *testing.T) {
	t.Parallel()
	const (
		submitted = iota
		withoutID
		not
		perhaps
	)
	const (
		tooSlow = "time limit of one attempt was reached (30 seconds)"
		broken  = "500 Internal Server Error"
	)
	for name, test := range map[string]struct {
		fault    string
		outcome  int
		requests int
		recorded int
		text     string
	}{
		"accepted":          {"pass", submitted, 1, 1, ""},
		"slow answer":       {"delay:20s", submitted, 1, 1, ""},
		"accepted with 202": {"status-after:202", submitted, 1, 1, ""},
		"408":               {"status:408", perhaps, 1, 0, "408 Request Timeout"},
		"425":               {"status:425", submitted, 2, 1, ""},
		"429":               {"status:429*4", submitted, 5, 1, ""},
		"429 with seconds":  {"status:429:7", submitted, 2, 1, ""},
		"503 with seconds":  {"status:503:0", submitted, 2, 1, ""},
		"429 for ever":      {"status:429,repeat", not, 5, 0, "429 Too Many Requests"},
		"503 with too long a wait": {
			"status:503:301", not, 1, 0, "asked to wait 5 minutes 1 second, with only 5 minutes left",
		},
		"400":                      {"status:400", not, 1, 0, "400 Bad Request"},
		"401":                      {"revoke", submitted, 2, 1, ""},
		"401 for ever":             {"status:401,repeat", not, 2, 0, "401 Unauthorized"},
		"401, then 503":            {"revoke,status:503:0", submitted, 3, 1, ""},
		"401, then 422":            {"revoke,status:422", not, 2, 0, "422 Unprocessable Entity"},
		"403":                      {"status:403", not, 1, 0, "403 Forbidden"},
		"409":                      {"status:409", not, 1, 0, "409 Conflict"},
		"422":                      {"status:422", not, 1, 0, "422 Unprocessable Entity"},
		"300":                      {"status:300", not, 1, 0, "300 Multiple Choices"},
		"499":                      {"status:499", not, 1, 0, "499"},
		"redirect":                 {"redirect:307:http://elsewhere.test/v1", not, 1, 0, redirected},
		"redirect as 301":          {"redirect:301:/studies/v1", not, 1, 0, "301 Moved Permanently"},
		"redirect as 303":          {"redirect:303:/studies/v1", perhaps, 1, 0, "303 See Other"},
		"redirect as 308":          {"redirect:308:/studies/v1", not, 1, 0, "308 Permanent Redirect"},
		"sign-in page":             {"html", not, 1, 0, "200 OK"},
		"500":                      {"status:500", perhaps, 1, 0, broken},
		"502":                      {"status:502", perhaps, 1, 0, "502 Bad Gateway"},
		"502 with Retry-After":     {"status:502:1", perhaps, 1, 0, "502 Bad Gateway"},
		"503":                      {"status:503", perhaps, 1, 0, "503 Service Unavailable"},
		"599":                      {"status:599", perhaps, 1, 0, "599"},
		"no answer":                {"hang", perhaps, 1, 0, tooSlow},
		"answer too late":          {"delay:31s", perhaps, 1, 1, tooSlow},
		"perhaps after a retry":    {"status:503:0,status:500", perhaps, 2, 0, broken},
		"accepted, empty":          {"empty", withoutID, 1, 1, "the response was empty"},
		"accepted, no id":          {`json-after:{"status":"accepted"}`, withoutID, 1, 1, "has no member notification_id"},
		"accepted, id is a number": {`json-after:{"notification_id":42}`, withoutID, 1, 1, "is not a string"},
		"accepted, answer cut off": {"truncate", withoutID, 1, 1, "broke off after"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.setFaults(t, "submission", test.fault)
				receipt, err := w.client.SubmitNotification(t.Context(), aNotification(), "")

				received(t, w.Emulator, test.requests, test.recorded)
				ledger := w.Ledger()
				tokens := 1
				if strings.HasPrefix(name, "401") {
					tokens = 2
				}
				if ledger.TokenRequests != tokens {
					t.Errorf("%d token requests, want %d", ledger.TokenRequests, tokens)
				}
				if ledger.StudyRequests+ledger.OtherRequests > 0 {
					t.Error("a redirect was followed")
				}
				switch test.outcome {
				case submitted:
					if err != nil ||
						receipt.NotificationID != ledger.Submissions[0].NotificationID ||
						!receipt.MissingID.Empty() {
						t.Errorf("got %+v, %v", receipt, err)
					}
					return
				case withoutID:
					if err != nil || receipt.NotificationID != "" ||
						!strings.Contains(receipt.MissingID.String(), test.text) {
						t.Errorf("got %+v, %v, want %q", receipt, err, test.text)
					}
					return
				}
				failed := failure(t, err)
				if got, want := failed.Ambiguous, test.outcome == perhaps; got != want {
					t.Errorf("ambiguous: %t, %v", got, err)
				}
				if page := strings.HasPrefix(test.text, "200"); page != (!failed.HTML.Empty()) {
					t.Errorf("HTML: %q", failed.HTML)
				}
				if failed.Status == http.StatusForbidden &&
					failed.GrantedScopes.String() != "notifications.write notifications.read" {
					t.Errorf("granted scopes: %q", failed.GrantedScopes)
				}
				prefix := "cannot submit the notification: POST " + testHost + "/notifications/v1: "
				if !strings.HasPrefix(err.Error(), prefix) ||
					!strings.Contains(err.Error(), test.text) {
					t.Errorf("error %q, want %q", err, test.text)
				}
				if failed.Attempts < 1 || failed.Time.IsZero() ||
					failed.URL.String() != testHost+"/notifications/v1" || failed.Method != http.MethodPost {
					t.Errorf("incomplete: %+v", failed)
				}
			})
		})
	}
}

const redirected = "307 Temporary Redirect"

// Lookups are retried after anything that may pass.
func TestOutcomeOfLookup(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault    string
		requests int
		text     string
	}{
		"500":                 {"status:500*4", 5, ""},
		"501":                 {"status:501", 2, ""},
		"502":                 {"status:502", 2, ""},
		"503":                 {"status:503", 2, ""},
		"408":                 {"status:408", 2, ""},
		"429":                 {"status:429:2", 2, ""},
		"no answer":           {"hang", 2, ""},
		"closed":              {"close-after", 2, ""},
		"cut off":             {"truncate", 2, ""},
		"500 for ever":        {"status:500,repeat", 5, "500 Internal Server Error"},
		"cut off for ever":    {"truncate,repeat", 5, "unexpected EOF"},
		"no answer for ever":  {"hang,repeat", 5, "time limit of one attempt"},
		"404":                 {"status:404", 1, "404 Not Found"},
		"sign-in page":        {"html", 1, "Sign in"},
		"redirect elsewhere":  {"redirect:307:http://elsewhere.test/studies/v1", 1, redirected},
		"redirect downgraded": {"redirect:307:https://notifications.test/studies/v1", 1, redirected},
		"redirect to itself":  {"redirect:307:/studies/v1?name=ATLAS,repeat", 10, "too many times"},
		"redirect inside":     {"redirect:302:/studies/v1?name=ATLAS", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.setFaults(t, "studies", test.fault)
				body, _, err := w.client.Studies(t.Context(), "ATLAS")
				if ledger := w.Ledger(); ledger.StudyRequests != test.requests ||
					ledger.OtherRequests != 0 {
					t.Errorf("%d requests, want %d; %d others", ledger.StudyRequests, test.requests,
						ledger.OtherRequests)
				}
				if test.text == "" {
					if err != nil || !strings.Contains(string(body), "9007199254740993") {
						t.Errorf("got %q, %v", body, err)
					}
				} else if failed := failure(t, err); failed.Ambiguous ||
					!strings.Contains(err.Error(), test.text) {
					t.Errorf("got %v, want %q", err, test.text)
				}
			})
		})
	}
}

// A body that takes longer than an attempt may is cut off: what it answers has arrived.
func TestSlowBodies(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.slow("/notifications/v1", 10*time.Minute)
		receipt, err := w.client.SubmitNotification(t.Context(), aNotification(), "")
		received(t, w.Emulator, 1, 1)
		if err != nil || receipt.NotificationID != "" || !strings.Contains(receipt.MissingID.String(),
			"time limit of one attempt was reached (30 seconds)") {
			t.Errorf("got %+v, %v", receipt, err)
		}
		w.slow("/studies/v1", 31*time.Second)
		_, _, err = w.client.Studies(t.Context(), "ATLAS")
		if failed := failure(t, err); failed.Attempts != 5 || w.Ledger().StudyRequests != 5 {
			t.Errorf("got %+v", failed)
		}
	})
}

// A service that cannot be reached has got nothing. A dial that times out by itself does not end
// the operation.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, dialErr := range []error{
		&net.DNSError{Err: "no such host", IsNotFound: true},
		&net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := dialingClient(failing(dialErr))
			failed := notSubmitted(t, c)
			if failed.Operation != SubmitNotification || failed.Ambiguous ||
				failed.Attempts != 5 || !errors.Is(failed, dialErr) {
				t.Errorf("got %+v", failed)
			}
		})
	}
}
