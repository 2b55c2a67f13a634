package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	browserdomain "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const lookup = `
data "notification_studies" "atlas" {
  name = "ATLAS"
}
`

// misspelt is a body that the emulator rejects.
const misspelt = `{"prioritty":"HIGH","channels":[{"type":"slack"}]}`

// contrast is the least contrast of text in badges and their backgrounds (WCAG 2.2, 1.4.3).
const contrast = `Math.min(...[...document.querySelectorAll('.badge')].map((badge) => {
  const light = (color) => {
    const [r, g, b] = color.match(/\d+/g).map((c) => c / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const { color, backgroundColor } = getComputedStyle(badge);
  const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
  return high / low;
}))`

// Everything that arrived can be seen on a phone, in both schemes, with the keyboard alone.
func TestViews(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			w := newWalk(t)
			if err := w.b.prefer(scheme); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"clipboard-read", "clipboard-write"} {
				if _, err := chromedp.Call(w.b.ctx, browserdomain.SetPermission, browserdomain.SetPermissionParams{
					Permission: &browserdomain.PermissionDescriptor{Name: name},
					Setting:    browserdomain.PermissionSettingGranted,
				}); err != nil {
					t.Fatal(err)
				}
			}
			w.do(
				chromedp.EmulateViewport(360, 740),
				chromedp.Navigate(w.s.root+"/_emulator/"),
				chromedp.WaitVisible("#connection.live"),
			)
			w.apply(head + lookup + hostile) // a token and the lookup to plan, a token and the submission
			w.reject(misspelt)
			w.do(chromedp.WaitVisible("#r6"))
			w.lists("#r6 422 rejected", "#r5 token", "#r4 HIGH priority", "#r3 token", "#r2 lookup", "#r1 token")

			w.tabTo("input[name=only]:checked")
			w.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.WaitNotPresent("#r1"))
			w.lists("#r4 HIGH priority")
			w.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.WaitVisible("#r6"))
			w.lists("#r6 422 rejected")
			w.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.WaitVisible("#r1"))
			w.lists("#r5 token", "#r3 token", "#r2 lookup", "#r1 token")
			if at := w.evaluate("location.search"); at != `"?only=other"` {
				t.Errorf("the address says %s", at)
			}
			w.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.WaitVisible("#r4"))

			for id, parts := range map[string][]string{
				"#r1": {"demo-client", "client_id, client_secret, grant_type"},
				"#r2": {"ATLAS: 1 study", "9007199254740993", "/studies/v1?name=ATLAS"},
				"#r4": {"as JSON"},
				"#r6": {`must not have a member "prioritty"`, misspelt, "Content-Type"},
			} {
				w.tabTo(id + " summary")
				w.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(id+" .ids"))
				w.shows(id, parts...)
			}
			w.copies("#r4 .copy", w.ledger().Submissions[0].ID)
			w.copies("#r6 p [data-copy]", "curl --globoff --path-as-is --request 'POST' '"+w.s.root+
				"/notifications/v1' \\\n  --header \"Authorization: Bearer $TOKEN\"")
			w.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })") // as without TLS
			w.tabTo("#r2 p [data-copy]")
			w.do(chromedp.KeyEvent(kb.Enter), w.until("document.activeElement.textContent === 'Copied'"))

			w.isAccessible()
			if same := w.evaluate("new Set([...document.querySelectorAll('#r4 .badge, #r6 .badge')]" +
				".map((badge) => getComputedStyle(badge).color)).size"); same != "2" {
				t.Error("HIGH and rejected have the same color")
			}
			if problems, _ := w.b.seen(); len(problems) > 0 {
				t.Errorf("problems: %q", problems)
			}
		})
	}
}

// Without its script the page shows the same, filters, and takes the forms.
func TestWithoutScript(t *testing.T) {
	w := newWalk(t)
	w.apply(head + lookup + hostile)
	w.reject(misspelt)
	if _, err := chromedp.Call(w.b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	w.do(chromedp.Navigate(w.s.root), chromedp.WaitVisible("#r6"))
	w.lists("#r6 422 rejected", "#r5 token", "#r4 HIGH priority", "#r3 token", "#r2 lookup", "#r1 token")
	w.do(
		chromedp.Click("fieldset label:nth-of-type(4)"), chromedp.Click("#filter button"),
		chromedp.WaitNotPresent("#r6"), chromedp.WaitVisible("#r1"),
	)
	w.lists("#r5 token", "#r3 token", "#r2 lookup", "#r1 token")
	w.do(chromedp.Click("#r1 summary"), chromedp.WaitVisible("#r1 .ids")) // where such buttons are
	if n := w.evaluate("[...document.querySelectorAll('[data-copy], [data-copy-from]')]" +
		".filter((button) => button.checkVisibility()).length"); n != "0" {
		t.Errorf("%s buttons do nothing", n)
	}
	w.do(
		chromedp.SetValue("#inject [name=fault]", "html:503"),
		chromedp.Click("#inject button.primary"), chromedp.WaitVisible("#faults code"),
	)
	w.shows("#faults", "html:503")
	w.do(
		chromedp.Click("button[value='clear-faults']"), chromedp.WaitNotPresent("#faults code"),
		chromedp.SetValue("#inject [name=fault]", "explode"),
		chromedp.Click("#inject button.primary"), chromedp.WaitVisible("#outcome.problem"),
	)
	w.shows("#outcome", `there is no "explode"`)
	w.do(chromedp.Click("button[value='clear-ledger']"), chromedp.WaitVisible("#hcl"))
	w.shows("#tokens", "3 valid, of 3 issued")
	w.isAccessible()
}

// reject submits a body that the emulator rejects.
func (w *walk) reject(body string) {
	w.Helper()
	w.request(http.MethodPost, "/notifications/v1", body, "Content-Type", "application/json",
		"Authorization", "Bearer "+w.token())
}

// token obtains one as a client does.
func (w *walk) token() string {
	w.Helper()
	form := url.Values{"grant_type": {"client_credentials"}}
	for _, variable := range w.s.env {
		name, value, _ := strings.Cut(variable, "=")
		switch name {
		case "NOTIFICATION_CLIENT_ID", "NOTIFICATION_CLIENT_SECRET":
			form.Set(strings.ToLower(strings.TrimPrefix(name, "NOTIFICATION_")), value)
		}
	}
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	text := w.request(http.MethodPost, "/oauth2/token", form.Encode(),
		"Content-Type", "application/x-www-form-urlencoded")
	if err := json.Unmarshal(text, &answer); err != nil {
		w.Fatal(err)
	}
	return answer.AccessToken
}

// lists compares what is listed, the newest first: ids and badges.
func (w *walk) lists(want ...string) {
	w.Helper()
	got := w.evaluate("[...document.querySelectorAll('#list li')]" +
		".map((entry) => '#' + entry.id + ' ' + entry.querySelector('.badge').textContent)")
	text, err := json.Marshal(want)
	if err != nil || got != string(text) {
		w.Errorf("%v, it lists %s, want %s", err, got, text)
	}
}

// tabTo presses the tab key until what the selector finds has the focus.
func (w *walk) tabTo(selector string) {
	w.Helper()
	for range 200 {
		if w.evaluate("document.activeElement.matches(`"+selector+"`)") == "true" {
			return
		}
		w.do(chromedp.KeyEvent(kb.Tab))
	}
	w.Fatalf("the tab key does not lead to %s", selector)
}

// copies presses a button with the keyboard, and compares the beginning of what is in the clipboard then.
func (w *walk) copies(button, want string) {
	w.Helper()
	w.tabTo(button)
	w.do(chromedp.KeyEvent(kb.Enter), w.until("document.activeElement.textContent === 'Copied'"))
	w.evaluate("(window.clipboard = null, navigator.clipboard.readText().then((text) => { clipboard = text }))")
	w.do(w.until("window.clipboard !== null"))
	var got string
	if err := json.Unmarshal([]byte(w.evaluate("window.clipboard")), &got); err != nil {
		w.Fatal(err)
	}
	if !strings.HasPrefix(got, want) {
		w.Errorf("%s copies %q, want %q", button, got, want)
	}
}

// isAccessible checks names, contrasts, and that nothing is wider than the window.
func (w *walk) isAccessible() {
	w.Helper()
	if wide := w.evaluate("document.documentElement.scrollWidth - innerWidth"); wide != "0" {
		w.Errorf("the page is %s pixels wider than the window", wide)
	}
	unnamed := w.evaluate("[...document.querySelectorAll('input, select, button')].filter((control) => " +
		"!(control.labels?.length || control.textContent.trim())).map((control) => control.outerHTML)")
	if unnamed != "[]" {
		w.Errorf("controls without a name: %s", unnamed)
	}
	if low := w.evaluate(contrast + " < 4.5"); low != "false" {
		w.Errorf("the contrast of a badge is %s", w.evaluate(contrast))
	}
}
