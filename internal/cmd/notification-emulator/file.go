package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// openTime bounds how long a named pipe waits for a reader.
const openTime = 10 * time.Second

// writeFile replaces the content of a file, or with the flag os.O_APPEND adds lines to it. It holds
// secrets or content: a new file, and one whose content was replaced, is for its owner's eyes only.
func writeFile(name string, flag int, text string) error {
	if flag == os.O_APPEND && !endsLine(name) {
		text = "\n" + text
	}
	file, err := openFile(name, flag, openTime)
	if err != nil {
		return err
	}
	if info, statErr := file.Stat(); flag == os.O_TRUNC && statErr == nil && info.Mode().IsRegular() {
		err = file.Chmod(0o600)
	}
	if err == nil {
		_, err = file.WriteString(text)
	}
	return errors.Join(err, file.Close())
}

// endsLine says whether what is written next to a file begins a line.
func endsLine(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true
	}
	file, err := os.Open(name) //nolint:gosec // the user says where
	if err != nil {
		return true
	}
	last := make([]byte, 1)
	_, err = file.ReadAt(last, info.Size()-1)
	_ = file.Close() // was only read
	return err != nil || last[0] == '\n'
}

// openFile gives up on a named pipe that has no reader in that time.
func openFile(name string, flag int, patience time.Duration) (*os.File, error) {
	opened, failed := make(chan *os.File, 1), make(chan error, 1)
	go func() {
		//nolint:gosec // the user says where
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o600)
		if err != nil {
			failed <- err
			return
		}
		opened <- file
	}()
	select {
	case file := <-opened:
		return file, nil
	case err := <-failed:
		return nil, err
	case <-time.After(patience):
		return nil, fmt.Errorf("open %s: nobody reads from this pipe", name)
	}
}
