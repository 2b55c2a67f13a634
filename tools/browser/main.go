// Command browser makes the screenshots of the emulator's page: of real applies, by a real browser.
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
	dark := flag.Bool("dark", false, "in the dark scheme")
	width := flag.Int64("width", 1280, "of the window, in CSS pixels")
	height := flag.Int64("height", 720, "of the window, in CSS pixels")
	open := flag.Bool("open", false, "with the newest entry open")
	empty := flag.Bool("empty", false, "before anything has arrived")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	err := screenshot(ctx, *out, *width, *height, *dark, *open, *empty)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func screenshot(ctx context.Context, out string, width, height int64, dark, open, empty bool) error {
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
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	if err := b.prefer(scheme); err != nil {
		return err
	}
	err = b.do(
		chromedp.EmulateViewport(width, height),
		chromedp.Navigate(s.root),
		chromedp.WaitVisible("#connection.live"),
	)
	if err == nil && !empty {
		if err = s.apply(ctx, p, dir, configuration); err == nil {
			err = b.do(chromedp.WaitVisible("#list li:nth-child(7)"))
		}
	}
	if err == nil && open && !empty {
		err = b.do(chromedp.Click("#list li:first-child summary"))
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
