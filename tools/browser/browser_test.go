package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// limit is generous: a busy machine may be slow to start Terraform and Chromium.
const limit = 3 * time.Minute

// hostile is a notification all of which wants to be markup.
const hostile = `
resource "notification_notification" "hostile" {
  priority = "HIGH"
  channels = [{
    type         = "<script>alert('type')</script>"
    recipient    = ["<img src=x onerror=alert(1)>", "javascript:alert(1)"]
    subject      = "<script>document.title = 'taken over'</script>"
    content_type = "<b>md</b>"
    template_id  = "\"><style>*{display:none}</style>"
    fields       = { "<iframe src=https://example.com>" = "<a href=\"https://example.com\">x</a>" }
  }]
}
`

// newWalk starts the programs, which end with the test.
func newWalk(t *testing.T) *walk {
	t.Helper()
	p, err := environmentPrograms()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	s, err := startService(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := startBrowser(ctx, p, s.root)
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{T: t, p: p, s: s, b: b, ctx: ctx}
	w.do(chromedp.EmulateViewport(1280, 900))
	return w
}

// TestPage follows one session: the page is loaded once, and shows what real applies send.
func TestPage(t *testing.T) {
	w := newWalk(t)
	w.do(
		chromedp.Navigate(w.s.root),
		chromedp.WaitVisible("#connection.live"),
		chromedp.WaitVisible("#hcl"),
	)
	w.evaluate("(() => { window.loadedOnce = true; window.arrivals = {}; new MutationObserver(() => { " +
		"for (const entry of document.querySelectorAll('#list li')) arrivals[entry.id] ??= Date.now() " +
		"}).observe(document.querySelector('main'), { childList: true, subtree: true }) })()")

	// What the empty page says to try works as it stands.
	w.apply(w.text("#hcl"))
	w.do(chromedp.WaitVisible("li#r2"), chromedp.WaitNotPresent("#hcl"))
	w.shows("li#r2 summary", "accepted", "NORMAL", "slack", "C024BE91L", "Hello from Terraform", "service", "checkout")
	first := w.delay("r2")

	// Everything a sender controls is text.
	w.apply(head + hostile)
	w.do(chromedp.WaitVisible("li#r4"), chromedp.Click("li#r4 summary"), chromedp.WaitVisible("li#r4 .ids"))
	w.shows("li#r4 .subject", "<script>document.title = 'taken over'</script>")
	w.shows("li#r4 .more", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "<b>md</b>",
		`"><style>*{display:none}</style>`, "<iframe src=https://example.com>", w.ledger().Submissions[1].ID)
	if n := w.evaluate("document.querySelectorAll('#list script, #list img, #list iframe, #list style, " +
		"#list b b, #list a:not([href^=\"/_emulator/ledger\"], [href^=\"/_emulator/#r\"])').length"); n != "0" {
		t.Errorf("%s elements come from a notification", n)
	}
	// A busy machine may delay one of them.
	if second := w.delay("r4"); min(first, second) > time.Second {
		t.Errorf("on the page %s and %s after they were received", first, second)
	}

	// A fault is chosen on the page, by a sentence or in their language, and is seen to happen.
	w.do(
		chromedp.SetValue("#sentence select", "token=oauth:invalid_client:401"),
		chromedp.Click("#sentence button.primary"), chromedp.WaitVisible("#faults code"),
	)
	w.shows("#faults", "oauth:invalid_client:401")
	w.do(
		chromedp.Click("button[value='clear-faults']"), chromedp.WaitNotPresent("#faults code"),
		chromedp.Click(".language summary"), chromedp.WaitVisible("#inject"),
		chromedp.SetValue("#inject [name=count]", "2"),
		chromedp.SetValue("#inject [name=fault]", "status:503:0"),
		chromedp.Click("#inject button.primary"),
		chromedp.WaitVisible("#faults code"),
	)
	w.shows("#faults", "status:503:0*2")
	w.apply(head + strings.Replace(hostile, `"HIGH"`, `"BATCH"`, 1))
	w.do(chromedp.WaitNotPresent("#faults code"), chromedp.WaitVisible("li#r8"))
	w.shows("li#r6", "503 rejected", "document.title = 'taken over'", "an injected fault: status 503", "fault status:503:0")
	w.shows("li#r8 .badge", "accepted")
	w.shows("li#r8 .priority", "BATCH")
	w.shows("#counts", "3 accepted", "2 rejected", "8 all")
	if open := w.evaluate("document.querySelector('#r4 details').open"); open != "true" {
		t.Error("what was open has been closed by what arrived later")
	}

	// The filter, by keyboard.
	w.do(chromedp.KeyEvent("/"), w.until("document.activeElement.id === 'q'"))
	w.evaluate("document.activeElement.value = ''") // the protocol sends the character all the same
	w.do(chromedp.KeyEvent("hello from"), chromedp.WaitNotPresent("li#r8"), chromedp.WaitVisible("li#r2"))
	w.do(chromedp.Click("#counts .rejected"), chromedp.WaitNotPresent("li#r2"))
	w.shows("#below", "Nothing matches the filter.")
	w.evaluate("document.getElementById('q').value = ''")
	w.evaluate("document.getElementById('q').dispatchEvent(new Event('input', { bubbles: true }))")
	w.do(chromedp.WaitVisible("li#r6"), chromedp.WaitVisible("#counts .all[href='?only=']"))
	w.do(chromedp.Click("#counts .all"), chromedp.WaitVisible("li#r8"))

	if shown := w.evaluate("document.querySelector('[value=clear-ledger]').checkVisibility()"); shown != "false" {
		t.Error("it clears without asking")
	}
	w.do(chromedp.Click(".ask summary"), chromedp.WaitVisible("button[value='clear-ledger']"))
	w.do(chromedp.Click("button[value='clear-ledger']"), chromedp.WaitVisible("#hcl"))
	w.do(chromedp.Click("button[value='revoke']"))
	w.do(w.until("document.querySelector('#tokens b').textContent === '0'"))

	if got := w.evaluate("window.loadedOnce === true && document.title"); got != `"Notification emulator"` {
		t.Errorf("the page was loaded again, or taken over: %s", got)
	}
	problems, requests := w.b.seen()
	if len(problems) > 0 || requests < 10 {
		t.Errorf("%d requests, and these problems: %q", requests, problems)
	}

	// A mistake in a fault is explained. That the emulator rejects it is in the console.
	w.do(
		chromedp.SetValue("#inject [name=fault]", "explode"),
		chromedp.Click("#inject button.primary"),
		chromedp.WaitVisible("#outcome.problem"),
	)
	w.shows("#outcome", `there is no "explode"`)
}

const head = `terraform {
  required_providers {
    notification = {
      source = "notification/notification"
    }
  }
}
`

// walk is a session in the browser. What fails in it ends the test.
type walk struct {
	*testing.T
	ctx context.Context
	p   programs
	s   *service
	b   *browser
}

func (w *walk) do(actions ...chromedp.Action[chromedp.Void]) {
	w.Helper()
	if err := w.b.do(actions...); err != nil {
		problems, _ := w.b.seen()
		w.Fatalf("%v; problems: %q", err, problems)
	}
}

func (w *walk) apply(configuration string) {
	w.Helper()
	if err := w.s.apply(w.ctx, w.p, w.TempDir(), configuration); err != nil {
		w.Fatal(err)
	}
}

func (w *walk) text(selector string) string {
	w.Helper()
	text, err := chromedp.Run(w.b.ctx, chromedp.TextContent(selector))
	if err != nil {
		w.Fatal(err)
	}
	return text
}

func (w *walk) shows(selector string, parts ...string) {
	w.Helper()
	text := w.text(selector)
	for _, part := range parts {
		if !strings.Contains(text, part) {
			w.Errorf("%s does not show %q: %q", selector, part, text)
		}
	}
}

// evaluate returns the value of an expression, as JSON.
func (w *walk) evaluate(expression string) string {
	w.Helper()
	text, err := chromedp.Run(w.b.ctx, chromedp.Evaluate[string](
		"JSON.stringify(("+expression+") ?? null)"))
	if err != nil {
		w.Fatal(err)
	}
	return text
}

// until waits for a condition.
func (w *walk) until(condition string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Poll[bool](condition)(ctx, target)
		return chromedp.Void{}, err
	}
}

type ledger struct {
	Submissions []struct {
		ID         string    `json:"notification_id"`
		ReceivedAt time.Time `json:"received_at"`
	} `json:"submissions"`
}

func (w *walk) ledger() (l ledger) {
	w.Helper()
	if err := json.Unmarshal(w.request(http.MethodGet, "/_emulator/ledger", ""), &l); err != nil {
		w.Fatal(err)
	}
	return l
}

// request makes a request to the emulator, and returns the body of the answer.
func (w *walk) request(method, path, body string, header ...string) []byte {
	w.Helper()
	request, err := http.NewRequestWithContext(w.ctx, method, w.s.root+path, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // it was read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.Fatal(err)
	}
	return text
}

// delay is the time from the receipt of the last notification until it was on the page.
func (w *walk) delay(id string) time.Duration {
	w.Helper()
	var shown int64
	if _, err := fmt.Sscan(w.evaluate("arrivals['"+id+"']"), &shown); err != nil {
		w.Fatal(err)
	}
	submissions := w.ledger().Submissions
	took := time.UnixMilli(shown).Sub(submissions[len(submissions)-1].ReceivedAt)
	w.Logf("on the page %s after it was received", took)
	return took
}
