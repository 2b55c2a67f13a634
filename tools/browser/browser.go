package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a tab of a headless Chromium. It remembers what must not happen.
type browser struct {
	ctx context.Context

	mu       sync.Mutex
	problems []string
	requests int
}

// startBrowser starts one that ends with ctx. Requests to anything but root are problems, and so is
// whatever the console shows.
func startBrowser(ctx context.Context, p programs, root string) (*browser, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(p.chromium),
		chromedp.Flag("disable-dev-shm-usage", true), // in containers it is often too small
	)
	if os.Geteuid() == 0 { // Chromium has no sandbox for root
		options = append(options, chromedp.NoSandbox)
	}
	b := new(browser)
	ctx, _ = chromedp.NewExecAllocator(ctx, options...) // ends with its parent
	b.ctx, _ = chromedp.NewContext(ctx, chromedp.WithListener(func(event any) {
		switch event := event.(type) {
		case *network.EventRequestWillBeSent:
			b.request(root, event.Request.URL)
		case *runtime.EventExceptionThrown:
			b.report("exception: %s", event.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			b.report("console.%s", event.Type)
		case *log.EventEntryAdded:
			b.report("%s in the console: %s %s", event.Entry.Level, event.Entry.Text, event.Entry.URL)
		}
	}))
	return b, b.do() // starts it
}

// prefer sets the scheme, light or dark, and stops what moves.
func (b *browser) prefer(scheme string) error {
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		},
	})
	return err
}

func (b *browser) request(root, url string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests++
	if !strings.HasPrefix(url, root+"/") {
		b.problems = append(b.problems, "request to "+url)
	}
}

func (b *browser) report(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, fmt.Sprintf(format, args...))
}

// seen returns the problems so far, and how many requests there were.
func (b *browser) seen() ([]string, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.problems, b.requests
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) error {
	return chromedp.Do(b.ctx, actions...)
}
