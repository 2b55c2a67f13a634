package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
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
const misspelt = `{"prioritty":"HIGH","channels":[{"type":"slack","subject":"announced by hand"}]}`

// contrasts has the least contrast of text in badges and of borders of controls with what is behind
// them (WCAG 2.2, 1.4.3 and 1.4.11).
const contrasts = `(() => {
  const light = (color) => {
    const [r, g, b] = color.match(/\d+/g).map((c) => c / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return high / low;
  };
  const behind = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return color === 'rgba(0, 0, 0, 0)' ? behind(node.parentElement) : color;
  };
  const least = (selector, of) => Math.min(...[...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility()).map((node) => of(node, getComputedStyle(node))));
  return [
    least('.badge', (node, style) => contrast(style.color, style.backgroundColor)) >= 4.5,
    least('input, select, button:not(.primary)', (node, style) => Math.min(
      contrast(style.borderTopColor, behind(node)),
      contrast(style.borderTopColor, behind(node.parentElement)))) >= 3,
  ];
})()`

// most says which of red, green and blue is the most in the colour of each outcome.
const most = `[...document.querySelectorAll('#list .badge')].map((badge) => {
  const [r, g, b] = getComputedStyle(badge).color.match(/\d+/g).map(Number);
  const quiet = Math.max(r, g, b) - Math.min(r, g, b) < 40;
  return quiet ? 'quiet' : r < g ? 'green' : g - b > r - g ? 'amber' : 'red';
})`

// sizes are a phone and a desktop.
var sizes = map[string][2]int64{"phone": {390, 844}, "desktop": {1440, 900}}

// open shows the page in that scheme and size.
func (w *walk) open(scheme, size, path string) {
	w.Helper()
	if err := w.b.prefer(scheme); err != nil {
		w.Fatal(err)
	}
	w.do(
		chromedp.EmulateViewport(sizes[size][0], sizes[size][1]),
		chromedp.Navigate(w.s.root+path),
		chromedp.WaitVisible("#connection.live"),
	)
}

// everywhere runs a test in both schemes and sizes.
func everywhere(t *testing.T, run func(w *walk, scheme, size string)) {
	for _, scheme := range []string{"light", "dark"} {
		for size := range sizes {
			t.Run(scheme+" "+size, func(t *testing.T) { run(newWalk(t), scheme, size) })
		}
	}
}

// Everything that arrived can be seen on a phone, in both schemes, with the keyboard alone.
func TestViews(t *testing.T) {
	everywhere(t, func(w *walk, scheme, size string) {
		for _, name := range []string{"clipboard-read", "clipboard-write"} {
			if _, err := chromedp.Call(w.b.ctx, browserdomain.SetPermission, browserdomain.SetPermissionParams{
				Permission: &browserdomain.PermissionDescriptor{Name: name},
				Setting:    browserdomain.PermissionSettingGranted,
			}); err != nil {
				w.Fatal(err)
			}
		}
		w.open(scheme, size, "/_emulator/")
		w.apply(head + lookup + hostile) // a token and the lookup to plan, a token and the submission
		w.reject(misspelt)
		w.request(http.MethodPost, "/_emulator/faults", `{"submission":"status:500"}`)
		w.reject(misspelt)
		w.do(chromedp.WaitVisible("li#r8"))
		w.lists("li#r8 500 unclear", "li#r7 token", "li#r6 422 rejected", "li#r5 token", "li#r4 accepted", "li#r3 token",
			"li#r2 lookup", "li#r1 token")
		const want = `["amber","quiet","red","quiet","green","quiet","quiet","quiet"]`
		if got := w.evaluate(most); got != want {
			w.Errorf("the colours are %s", got)
		}
		if same := w.evaluate("getComputedStyle(document.querySelector('#r4 .priority')).color === " +
			"getComputedStyle(document.querySelector('#r4 .about')).color"); same != "true" {
			w.Error("a priority has a colour of its own")
		}

		for _, step := range []struct {
			only, gone string
			listed     []string
		}{
			{"accepted", "li#r1", []string{"li#r4 accepted"}},
			{"rejected", "li#r4", []string{"li#r6 422 rejected"}},
			{"lost", "li#r6", []string{"li#r8 500 unclear"}},
			{"tokens", "li#r8", []string{"li#r7 token", "li#r5 token", "li#r3 token", "li#r1 token"}},
		} {
			w.tabTo("#counts ." + step.only)
			w.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitNotPresent(step.gone))
			w.lists(step.listed...)
			if at := w.evaluate("location.search"); at != `"?only=`+step.only+`"` {
				w.Errorf("the address says %s", at)
			}
			if focus := w.evaluate("document.activeElement.className"); focus != `"`+step.only+`"` {
				w.Errorf("the focus is on %s", focus)
			}
		}
		w.tabTo("#counts .all")
		w.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("li#r8"))

		for id, parts := range map[string][]string{
			"li#r1": {"demo-client", "client_id, client_secret, grant_type"},
			"li#r2": {"ATLAS: 1 study", "9007199254740993", "/studies/v1?name=ATLAS"},
			"li#r4": {"as JSON", "link#r4"},
			"li#r6": {"announced by hand", `must not have a member "prioritty"`, misspelt, "Content-Type"},
		} {
			w.tabTo(id + " summary")
			w.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(id+" .ids"))
			w.shows(id, parts...)
		}
		w.copies("li#r4 .copy", w.ledger().Submissions[0].ID)
		w.copies("li#r6 p [data-copy]", "curl --globoff --path-as-is --request 'POST' '"+w.s.root+
			"/notifications/v1' \\\n  --header \"Authorization: Bearer $TOKEN\"")
		w.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })") // as without TLS
		w.tabTo("li#r2 p [data-copy]")
		w.do(chromedp.KeyEvent(kb.Enter), w.until("document.activeElement.textContent === 'Copied'"))

		w.isAccessible()
		if problems, _ := w.b.seen(); len(problems) > 0 {
			w.Errorf("problems: %q", problems)
		}
	})
}

// rightToLeft has Arabic in every text.
const rightToLeft = `{"priority":"HIGH","channels":[{"type":"دردشة","recipient":["قناة","فريق (1)"],` +
	`"subject":"نشر 1.4.2 من checkout","content_type":"نص","template_id":"قالب","fields":{"خدمة":"الدفع v2"}}]}`

// Of many entries each can be reached, and so can faults and clear.
func TestMany(t *testing.T) {
	const many = 1_150 // of which every tenth is rejected
	everywhere(t, func(w *walk, scheme, size string) {
		header := []string{"Content-Type", "application/json", "Authorization", "Bearer " + w.token()}
		for i := range many {
			body := `{"priority":"NORMAL","channels":[{"type":"slack","subject":"one of many"}]}`
			if i%10 == 0 {
				body = misspelt
			}
			w.request(http.MethodPost, "/notifications/v1", body, header...)
		}
		w.request(http.MethodPost, "/notifications/v1", rightToLeft, header...)
		w.open(scheme, size, "/?only=rejected")
		w.shows("#counts", "1,152 all", "1,036 accepted", "115 rejected")
		if n := w.evaluate("document.querySelectorAll('#list li').length"); n != "100" {
			w.Errorf("%s entries", n)
		}
		w.do(chromedp.Click(".older"), w.until("document.querySelectorAll('#list li').length === 15"))
		w.do(chromedp.Click(".newest"), w.until("document.querySelectorAll('#list li').length === 100"))

		w.open(scheme, size, "/#r280")
		w.do(chromedp.WaitVisible("li#r280 .ids"))
		if link := w.evaluate("document.querySelector('#r280 .ids a').href"); link != `"`+w.s.root+`/_emulator/#r280"` {
			w.Errorf("the link is %s", link)
		}
		if at := w.evaluate("document.querySelector('#r280').getBoundingClientRect().top < innerHeight"); at != "true" {
			w.Error("the entry is not in sight")
		}
		w.evaluate("window.fetch = async () => new Response('', { status: 500 }), refresh(), 0")
		w.do(w.until("!running"))
		if title := w.evaluate("document.title"); !strings.Contains(title, "Notification emulator") {
			w.Errorf("an answer that is not the page makes the title %s", title)
		}
		w.open(scheme, size, "/#r9999")
		w.do(w.until("document.querySelector('#wrong').textContent.includes('no request #r9999')"))
		w.open(scheme, size, "/#r1142") // which was rejected
		w.do(chromedp.WaitVisible("li#r1142 .ids"), chromedp.Click("#counts .rejected"), chromedp.WaitNotPresent("li#r1151"))
		w.evaluate("history.back()")
		w.do(chromedp.WaitVisible("li#r1151"), chromedp.WaitVisible("li#r1142 .ids"))
		w.evaluate("scrollTo(0, 0)")
		w.do(chromedp.WaitVisible("li#r1152"), chromedp.Click("li#r1152 summary"))
		directions := w.evaluate("[...document.querySelectorAll('#r1152 :is(.subject, .to, .about b, .more dl:first-child dd, " +
			".more dl:first-child dd span)')].filter((node) => /[\u0600-\u06ff]/.test(node.textContent) && " +
			"!node.querySelector('span')).map((node) => getComputedStyle(node).direction)")
		if strings.Contains(directions, "ltr") || strings.Count(directions, "rtl") < 10 {
			w.Errorf("the directions are %s", directions)
		}
		const below = "(([badge, subject]) => subject.top >= badge.bottom && subject.width > 300)" +
			"(['badge', 'subject'].map((part) => document.querySelector('#r1151 .' + part).getBoundingClientRect()))"
		if own := w.evaluate(below); own != map[string]string{"phone": "true", "desktop": "false"}[size] {
			w.Errorf("that the subject has a line of its own is %s", own)
		}

		w.evaluate("scrollTo(0, document.body.scrollHeight)")
		if size == "phone" {
			w.do(chromedp.Click("#open"), chromedp.Click("#close"), w.until("!document.querySelector(':popover-open')"),
				chromedp.Click("#open"), chromedp.WaitVisible("#close"))
		}
		if small := w.evaluate("[...document.querySelectorAll('button, summary, input, select, a')].filter((node) => " +
			"node.checkVisibility() && !node.matches('p a, .skip') && Math.min(node.getBoundingClientRect().width, " +
			"node.getBoundingClientRect().height) < 24).map((node) => node.outerHTML)"); small != "[]" {
			w.Errorf("too small to be touched: %s", small)
		}
		w.do(w.until("['#sentence .primary', '.ask summary'].map((selector) => document.querySelector(selector)" +
			".getBoundingClientRect()).every(({ top, bottom, height }) => height && top >= 0 && bottom <= innerHeight)"))
		w.isAccessible()
		w.evaluate("history.replaceState(null, '', '?only=rejected')")
		w.do(chromedp.Click(".ask summary"), chromedp.Click("button[value='clear-ledger']"),
			chromedp.WaitNotPresent("#list li"), chromedp.WaitVisible("#hcl"))
	})
}

// Each way that the empty page shows works as it stands.
func TestEmptyPage(t *testing.T) {
	everywhere(t, func(w *walk, scheme, size string) {
		w.open(scheme, size, "/")
		w.isAccessible()
		w.apply(w.text("#hcl"))
		w.do(chromedp.WaitVisible("li#r2"))
		w.request(http.MethodPost, "/_emulator/reset", "")
		w.do(chromedp.WaitVisible("#curl"))
		for _, line := range strings.Split(strings.TrimSpace(w.text("#own")), "\n") {
			variable := strings.ReplaceAll(strings.TrimPrefix(line, "export "), "'", "")
			if line != "terraform apply" && !slices.Contains(w.s.env, variable) {
				w.Errorf("%s is not what the emulator prints", line)
			}
		}
		script := exec.CommandContext(w.ctx, "sh", "-ec", w.text("#curl"))
		script.Env = append(w.s.env, "PATH="+os.Getenv("PATH"))
		if out, err := script.CombinedOutput(); err != nil || !strings.Contains(string(out), "notification_id") {
			w.Errorf("%v\n%s", err, out)
		}
		w.do(chromedp.WaitVisible("li#r2"))
		w.shows("li#r2", "Hello from curl")
	})
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
	w.do(chromedp.Navigate(w.s.root), chromedp.WaitVisible("li#r6"))
	w.lists("li#r6 422 rejected", "li#r5 token", "li#r4 accepted", "li#r3 token", "li#r2 lookup", "li#r1 token")
	w.do(
		chromedp.Click("#counts .tokens"), chromedp.WaitVisible(".tokens[aria-current]"),
		chromedp.SetValue("#q", "demo-client"), chromedp.Click("#filter button"),
		chromedp.WaitVisible(".tokens[href='?only=tokens&q=demo-client']"),
	)
	w.lists("li#r5 token", "li#r3 token", "li#r1 token")
	w.do(chromedp.Click("li#r1 summary"), chromedp.WaitVisible("li#r1 .ids")) // where such buttons are
	if n := w.evaluate("[...document.querySelectorAll('[data-copy], [data-copy-from]')]" +
		".filter((button) => button.checkVisibility()).length"); n != "0" {
		t.Errorf("%s buttons do nothing", n)
	}
	w.do(
		chromedp.Click(".language summary"), chromedp.SetValue("#inject [name=fault]", "html:503"),
		chromedp.Click("#inject button.primary"), chromedp.WaitVisible("#faults code"),
	)
	w.shows("#faults", "html:503")
	w.do(
		chromedp.Click("button[value='clear-faults']"), chromedp.WaitNotPresent("#faults code"),
		chromedp.Click(".language summary"), chromedp.SetValue("#inject [name=fault]", "explode"),
		chromedp.Click("#inject button.primary"), chromedp.WaitVisible("#wrong"),
	)
	w.shows("#wrong", `there is no "explode"`)
	w.do(chromedp.Click(".ask summary"), chromedp.Click("button[value='clear-ledger']"),
		chromedp.WaitVisible("#hcl"))
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
		".map((entry) => 'li#' + entry.id + ' ' + entry.querySelector('.badge').textContent)")
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
	unnamed := w.evaluate("[...document.querySelectorAll('input:not([type=hidden]), select, button')].filter((control) => " +
		"!(control.labels?.length || control.textContent.trim())).map((control) => control.outerHTML)")
	if unnamed != "[]" {
		w.Errorf("controls without a name: %s", unnamed)
	}
	if enough := w.evaluate(contrasts); enough != "[true,true]" {
		w.Errorf("badges and borders have enough contrast: %s", enough)
	}
}
