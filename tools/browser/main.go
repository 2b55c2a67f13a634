// Command browser makes the screenshot of the emulator's page: of real applies, by a real browser.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/chromedp"
)

//go:embed screenshot.tf
var configuration string

func main() {
	out := flag.String("out", "emulator.png", "`FILE` to write")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	err := screenshot(ctx, *out)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func screenshot(ctx context.Context, out string) error {
	p, err := environmentPrograms()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := startService(ctx, p, "-fault", "submission=pass,reset-after,pass,status:503:1,pass,hang")
	if err != nil {
		return err
	}
	defer func() {
		cancel()
		<-s.ended // or it would outlive this process
	}()
	b, err := startBrowser(ctx, p, s.root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "screenshot")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	err = b.prefer("light")
	if err == nil {
		err = b.do(
			chromedp.EmulateViewport(1280, 720),
			chromedp.Navigate(s.root),
			chromedp.WaitVisible("#connection.live"),
		)
	}
	if err == nil {
		err = s.apply(ctx, p, dir, configuration)
	}
	if err == nil {
		err = b.do(chromedp.WaitVisible("#list li:nth-child(7)"))
	}
	if err != nil {
		return err
	}
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	return os.WriteFile(out, picture, 0o644) //nolint:gosec // a picture for everyone
}
