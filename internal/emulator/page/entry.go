package page

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// maxEntry bounds the size of the entries that the page shows in full, in bytes.
const maxEntry = 16 << 10

// entry is a record as the page lists it.
type entry struct{ ledger.Record }

// Large says whether the page leaves the content out.
func (e entry) Large() bool { return e.Size > maxEntry }

// Outcome is what the colour of an entry says; empty: not known yet.
func (e entry) Outcome() string { return append(e.Outcomes(), "")[0] }

// Channels are those of a submission, as far as they can be read.
func (e entry) Channels() []notification.Channel {
	if e.Submission == nil && e.Large() {
		return nil
	}
	return e.Content.Channels
}

// When is the time of its arrival, with the date where that is not today.
func (e entry) When(now time.Time) string {
	at, layout := e.Time.In(now.Location()), "15:04:05.000 MST"
	if at.Format(time.DateOnly) != now.Format(time.DateOnly) {
		layout = time.DateOnly + " " + layout
	}
	return at.Format(layout)
}

// Found is the studies of a lookup, as JSON; empty where they are too large for the page.
func (e entry) Found() string {
	var b strings.Builder
	for _, study := range e.Studies {
		if b.Len()+len(study) > maxEntry {
			return ""
		}
		b.Write(study)
		b.WriteByte('\n')
	}
	return b.String()
}

// Curl is the request as a command for a POSIX shell, with the access token in $TOKEN, and the
// client secret where a provider finds it. It is empty where not enough of the request is kept.
func (e entry) Curl(v View) string {
	body := e.Body
	if e.Submission != nil {
		body = string(e.Submission.Body)
	}
	token := e.Target == string(route.Token)
	_, chunked := e.Headers["Transfer-Encoding"]
	sent := chunked || cmp.Or(e.Headers["Content-Length"], "0") != "0"
	if e.Altered || e.Large() || strings.ContainsAny(body, "\x00\r") || sent && body == "" && e.Form == nil ||
		token && e.Form == nil {
		return ""
	}
	address := v.Origin + e.Path
	if e.Query != "" {
		address += "?" + e.Query
	}
	method := "--request " + quote(e.Method)
	if e.Method == http.MethodHead {
		method = "--head"
	}
	words := []string{"curl --globoff --path-as-is " + method + " " + quote(address)}
	add := func(option, value string) { words = append(words, option+" "+value) }
	if token {
		values := map[string]string{
			"client_id": e.Form.ClientID, "grant_type": e.Form.GrantType, "scope": e.Form.Scope,
		}
		for _, name := range e.Form.Parameters {
			value, kept := values[name]
			switch {
			case name == "client_secret":
				add("--data-urlencode", `"client_secret=$NOTIFICATION_CLIENT_SECRET"`)
			case !kept:
				return ""
			default:
				add("--data-urlencode", quote(name+"="+value))
			}
		}
		return strings.Join(words, lineBreak)
	}
	if slices.Contains(e.HeaderNames, "Authorization") {
		add("--header", `"Authorization: Bearer $TOKEN"`)
	}
	if e.IdempotencyKey != "" {
		add("--header", quote(v.KeyHeader+": "+e.IdempotencyKey))
	}
	if contentType := e.Headers["Content-Type"]; contentType != "" || body != "" { // empty: curl sends none
		add("--header", quote(strings.TrimSpace("Content-Type: "+contentType)))
	}
	if body != "" {
		add("--data-raw", quote(body))
	}
	if command := strings.Join(words, lineBreak); len(command) <= maxEntry {
		return command
	}
	return ""
}

// lineBreak goes on with a command on the next line.
const lineBreak = " \\\n  "

// quote makes text one word for a POSIX shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
