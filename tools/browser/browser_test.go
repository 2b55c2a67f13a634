// Package browser tests the emulator's web UI in a real browser.
package browser

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var picture = flag.String("picture", "", "`FILE` to write the README's picture of the web UI to")

const (
	submissions = "/notifications/v1"
	report      = `{"priority":"BATCH","channels":[{"type":"email",
		"recipient":["platform@example.com"],"subject":"Weekly capacity report",
		"fields":{"cluster":"eu-1","utilization":"61 %"}}]}`
	payments = `{"priority":"NORMAL","channels":[{"type":"slack","recipient":["C024BE91L","C0G9QF9GZ"],
		"subject":"Payments 3.0.1 is live","template_id":"deployment",
		"fields":{"service":"payments","version":"3.0.1"}}]}`
	checkout = `{"priority":"HIGH","channels":[{"type":"slack","recipient":["C024BE91L"],
		"subject":"Checkout 1.4.2 is live","template_id":"deployment",
		"fields":{"service":"checkout","version":"1.4.2"}},{"type":"sms","recipient":["+15550100"]}]}`
	hostile = `{"priority":"HIGH","channels":[{"type":"<script>alert(1)</script>",
		"recipient":["<img src=x onerror=alert(1)>"],"subject":"<script>document.title=1</script>",
		"template_id":"\"><style>*{display:none}</style>","fields":{"<b id=list>":"<a href=x>y</a>"}}]}`
)

// helpers defines functions in the browser: the visible elements, the colour of a text, and whether
// it has enough contrast (WCAG 2.2, 1.4.3).
const helpers = `(() => {
  window.all = (selector) =>
    [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility());
  window.texts = (selector) => all(selector).map((node) => node.textContent);
  window.colour = (node) => {
    const [r, g, b] = getComputedStyle(node).color.match(/\d+/g).map(Number);
    if (Math.max(r, g, b) - Math.min(r, g, b) < 40) return 'quiet';
    return r < g ? 'green' : g - b > r - g ? 'amber' : 'red';
  };
  window.isLegible = (node) => {
    const { color, backgroundColor } = getComputedStyle(node);
    const [low, high] = [color, backgroundColor].map((text) => {
      const [r, g, b] = text.match(/\d+/g).map((c) => c / 255)
        .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    }).sort((a, b) => a - b);
    return high / low >= 4.5;
  };
  return true;
})()`

// TestWebUI loads the web UI once. Everything that follows happens in that one visit.
func TestWebUI(t *testing.T) {
	s := start(t)
	s.is(helpers, "true")
	s.is("[target.value, target.length > 1, target.length === all('#faults dt').length]",
		`["submission",true,true]`)
	s.do(chromedp.SetValue("[name=example]", "pass,reset-after"), chromedp.Click("#inject .primary"))
	s.is("texts('#faults dd:not(.none)')", `["pass,reset-after"]`)
	s.request(submissions, report)
	s.request(submissions, payments)
	s.request("/_emulator/faults", `{"submission":"status:429:1,pass,hang"}`)
	s.request("/studies/v1?name=ATLAS", "")
	s.request(submissions, checkout)
	s.request(submissions, checkout)
	s.is("texts('.badge')", `["201 accepted","429 not accepted","lookup","accepted",`+
		`"no whole response","201 accepted","token"]`)
	s.is("all('.badge').map(colour)", `["green","red","quiet","green","amber","green","quiet"]`)
	s.is("texts('#counts button')",
		`["6 all","3 accepted","1 not accepted","1 no whole response","1 lookups","1 tokens"]`)
	s.is("texts('.fault')", `["fault status:429:1","fault reset-after"]`)
	s.is("texts('#faults dd:not(.none)')", `["hang"]`)
	if *picture != "" {
		image, err := chromedp.Run(s.ctx, chromedp.CaptureScreenshot())
		if err = errors.Join(err, os.WriteFile(*picture, image, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	// Untrusted content is shown as text. An open entry stays open and focused when another arrives.
	s.do(chromedp.Click("#clear"))
	s.is("texts('#faults dd:not(.none)')", `[]`)
	s.request("/_emulator/faults", `{"submission":"pass,status:500"}`)
	s.request(submissions, hostile)
	s.is("texts('li:first-child :is(.subject, .type, .field b)')",
		`["<script>document.title=1</script>","<script>alert(1)</script>",`+
			`"\"><style>*{display:none}</style>","<a href=x>y</a>"]`)
	s.do(chromedp.Click("li:first-child summary"))
	s.request(submissions, checkout)
	s.is("texts('#news')", `["Checkout 1.4.2 is live"]`)
	s.is("texts('li:nth-child(2):focus-within pre').length", "1")
	s.is("[...document.querySelectorAll('#list :is(script, img, style, a, #list)'), document.title]",
		`["(4) Notification emulator"]`)
	s.do(chromedp.KeyEvent("/"))
	s.is("document.activeElement === search && (search.value = '')", `""`)
	s.do(chromedp.KeyEvent("CHECKOUT 1"))
	s.is("texts('.badge')", `["500 not accepted","201 accepted","429 not accepted"]`)
	s.do(chromedp.Click("#counts .accepted"))
	s.is("texts('.badge')", `["201 accepted"]`)
	s.is("texts('#counts button')", `["3 all","1 accepted","2 not accepted"]`)
	s.do(chromedp.Click("#counts .all"))
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{390, 1280} {
			s.look(scheme, width, 844)
			s.is("[matchMedia('(prefers-color-scheme: "+scheme+")').matches, all('aside').length === 1, "+
				"document.documentElement.scrollWidth, all('.badge').every(isLegible)]",
				fmt.Sprintf("[true,%t,%d,true]", width == 1280, width))
		}
	}
	s.do(chromedp.Click("#ask summary"), chromedp.Click("#reset"))
	s.is("texts('#empty h2')", `["Nothing has arrived yet"]`)
	// What the emulator did, and not what a client may conclude from the status.
	const accepted, other = "notification_id: 1", "target: 'studies'"
	for request, want := range map[string]string{
		"status: 0": "", accepted: "", "status: 201, " + accepted: "accepted",
		"status: 503, reason: 'x', " + accepted:              "accepted",
		"status: 0, reason: 'x', " + accepted:                "accepted broken",
		"status: 201, fault: 'truncate', " + accepted:        "accepted broken",
		"status: 201, repetition_of: 1":                      "repeated",
		"status: 0, reason: 'x', repetition_of: 1":           "repeated broken",
		"status: 201, reason: 'x', fault: 'json:{}'":         "refused",
		"status: 409, reason: 'x', idempotency_key: 'k'":     "refused",
		"status: 302, reason: 'x', fault: 'redirect:302:/x'": "refused",
		"status: 0, reason: 'x', fault: 'hang'":              "refused broken",
		"status: 200, " + other:                              "lookups",
		"status: 200, fault: 'truncate', " + other:           "lookups broken",
		"status: 503, reason: 'x', " + other:                 "rejected",
		"status: 0, reason: 'x', " + other:                   "broken",
		"status: 200, target: 'token'":                       "tokens",
	} {
		s.is("outcomesOf({ target: 'submission', "+request+" }).join(' ')", fmt.Sprintf("%q", want))
	}
	// Neither a long list nor a long field hides the rest of its channel, or the next channel.
	s.is(`(search.value = '', show({ submissions: [], requests: [{ time: 0, target: '', fault: '',
		reason: 'x', body: JSON.stringify({
			channels: [{ recipient: Array(300).fill('C1'), a: 'long\n'.repeat(50), b: 'y' },
				{ type: 'sms' }] }) }] }), texts('.rest'))`, `["and 295 more"]`)
	s.is(`all('.channel > *').map((part) => part.textContent[0] + ['.channel', 'summary'].every(
		(around) => part.getBoundingClientRect().bottom <=
			part.closest(around).getBoundingClientRect().bottom)).join()`,
		`"Ctrue,Ctrue,Ctrue,Ctrue,Ctrue,atrue,atrue,btrue,strue"`)
	// The filter takes some 20 s if the style sheet makes the entries list items.
	s.is(`(search.value = '', show({ submissions: [], requests: Array.from({ length: 5000 },
		(_, time) => ({ time, target: '', fault: '', reason: 'no ' + time })) }),
		document.body.offsetHeight, began = Date.now(), search.value = 'no 123', filter(),
		document.body.offsetHeight, Date.now() - began < 5000)`, "true")
	for len(s.problems) > 0 {
		t.Error(<-s.problems)
	}
	// Last, because the rejected fault causes an error in the console, and so does a proxy's 502.
	s.is("example.value = ''", `""`)
	s.do(chromedp.SendKeys("[name=sequence]", "explode"), chromedp.Click("#inject .primary"))
	s.is("texts('.problem').map((text) => text.includes('explode'))", "[true]")
	// While the emulator restarts, a proxy answers 502, after which a browser does not reconnect.
	root, err := url.Parse(s.root)
	if err != nil {
		t.Fatal(err)
	}
	reconnected := make(chan bool, 100) // in vain
	var ledger atomic.Pointer[string]   // in place of the emulator's; nil: none
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(root) },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
			if r.URL.Path == "/_emulator/events" {
				reconnected <- true
			}
		},
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body := ledger.Load(); body != nil && r.URL.Path == "/_emulator/ledger" {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, *body)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	for _, width := range []int64{390, 1280} { // the narrow page first opens the form
		s.look("light", width, 844)
		s.do(chromedp.Navigate(proxy.URL), chromedp.WaitVisible("#connection.live"))
		s.is(helpers, "true")
		s.do(chromedp.KeyEvent("\t\t\r"))
		s.is("[document.activeElement.id, all('#inject').length]", `["faults-title",1]`)
	}
	const state = "[texts('#connection')[0], texts('#offline').join(), texts('.problem').join(), " +
		"getComputedStyle(list).opacity]"
	s.request(submissions, checkout)
	s.is("texts('.badge').length", "1")
	// The stream may live while the proxy answers other requests itself.
	for _, body := range []string{`{"message":"busy"}`, "<html>busy"} {
		ledger.Store(&body)
		s.request(submissions, checkout)
		s.is(state, `["not live","The emulator does not respond: this list may be out of date.","","0.5"]`)
		ledger.Store(nil)
		s.is(state, `["live","","","1"]`)
	}
	s.is("texts('.badge').length", "3")
	s.stop()
	s.is(state, `["not live","The emulator does not respond: this list may be out of date.","","0.5"]`)
	s.do(chromedp.Click("#inject .primary"))
	s.is("texts('.problem')", `["The emulator does not respond."]`)
	<-reconnected
	s.serve(root.Host)
	s.is("["+state+", texts('#empty h2').length]", `[["live","","","1"],1]`)
}

// session is a running emulator, with its web UI in a headless Chromium.
type session struct {
	*testing.T
	ctx      context.Context // of the tab
	root     string          // URL of the emulator
	stop     func()          // ends the emulator
	token    string
	problems chan string // console entries, and requests to other servers
}

// serve runs $EMULATOR at the address, until stop is called or the test ends.
func (s *session) serve(address string) {
	s.Helper()
	ctx, kill := context.WithCancel(s.Context())
	command := exec.CommandContext(ctx, os.Getenv("EMULATOR"),
		"serve", "-listen", address, "-client-secret", "demo")
	stdout, err := command.StdoutPipe()
	if err = errors.Join(err, command.Start()); err != nil {
		s.Fatal("use make browser-test: ", err)
	}
	s.stop = func() { kill(); _ = command.Wait() }
	s.Cleanup(s.stop)
	s.root = ""
	for lines := bufio.NewScanner(stdout); s.root == "" && lines.Scan(); {
		_, value, _ := strings.Cut(lines.Text(), "export NOTIFICATION_EMULATOR_URL=")
		s.root = strings.Trim(value, "'")
	}
}

// start starts an emulator, and $CHROMIUM with its web UI, which already shows a token request.
func start(t *testing.T) *session {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	s := &session{T: t, problems: make(chan string, 100)}
	s.serve("127.0.0.1:0")
	root := s.root + "/"
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(os.Getenv("CHROMIUM")),
		chromedp.Flag("disable-dev-shm-usage", true)) // /dev/shm is often too small in containers
	if os.Geteuid() == 0 { // Chromium has no sandbox for root
		options = append(options, chromedp.NoSandbox)
	}
	allocator, _ := chromedp.NewExecAllocator(ctx, options...) // ends with its parent
	s.ctx, _ = chromedp.NewContext(allocator, chromedp.WithListener(func(event any) {
		switch event := event.(type) {
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(event.Request.URL, root) {
				s.problems <- "request to " + event.Request.URL
			}
		case *runtime.EventExceptionThrown:
			s.problems <- "exception: " + event.ExceptionDetails.Text
		case *log.EventEntryAdded:
			s.problems <- "in the console: " + event.Entry.Text
		}
	}))
	response := s.request("/oauth2/token",
		"grant_type=client_credentials&client_id=demo-client&client_secret=demo")
	_, token, _ := strings.Cut(response, `"access_token":"`)
	s.token, _, _ = strings.Cut(token, `"`)
	s.look("light", 1280, 690)
	s.do(chromedp.Navigate(s.root), chromedp.WaitVisible("#connection.live"))
	return s
}

func (s *session) do(actions ...chromedp.Action[chromedp.Void]) {
	s.Helper()
	if err := chromedp.Do(s.ctx, actions...); err != nil {
		s.Fatal(err)
	}
}

// look sets the colour scheme and the size of the window, and disables animations.
func (s *session) look(scheme string, width, height int64) {
	s.Helper()
	s.do(chromedp.EmulateViewport(width, height))
	if _, err := chromedp.Call(s.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		s.Fatal(err)
	}
}

// is waits until the JSON of an expression equals want.
func (s *session) is(expression, want string) {
	s.Helper()
	expression = "JSON.stringify(" + expression + ")"
	ctx, cancel := context.WithTimeout(s.ctx, 10*time.Second)
	defer cancel()
	equal := fmt.Sprintf("%s === %q", expression, want)
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](equal)); err != nil {
		got, err := chromedp.Run(s.ctx, chromedp.Evaluate[string](expression))
		s.Fatalf("%s is %s, want %s; %v", expression, got, want, err)
	}
}

// request sends a request and returns the body of the response: empty if a fault prevents one.
func (s *session) request(path, body string) string {
	s.Helper()
	method, contentType := http.MethodPost, "application/x-www-form-urlencoded" // for the token
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(s.ctx, method, s.root+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if s.token != "" {
		contentType = "application/json"
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	r.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer func() { _ = response.Body.Close() }() // all of it is read
	text, _ := io.ReadAll(response.Body)
	return string(text)
}
