package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"
)

// openTime bounds how long a named pipe waits for a reader.
const openTime = 10 * time.Second

// writeFile replaces the content of a file, or with the flag os.O_APPEND adds lines to it. It holds
// secrets or content: only its owner can read a new file, and one whose content was replaced.
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
	text, err := os.ReadFile(name) //nolint:gosec // the user says where
	return err != nil || bytes.HasSuffix(text, []byte{'\n'})
}

// openFile gives up on a named pipe that gets no reader within patience.
func openFile(name string, flag int, patience time.Duration) (*os.File, error) {
	var file *os.File
	opened := make(chan error, 1)
	go func() {
		var err error
		//nolint:gosec // the user says where
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flag, 0o600)
		opened <- err
	}()
	select {
	case err := <-opened:
		return file, err
	case <-time.After(patience):
		return nil, fmt.Errorf("open %s: nobody reads from this pipe", name)
	}
}
