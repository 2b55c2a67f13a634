package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	// backgroundCommand is the subcommand of the process that serve -background starts, with the
	// arguments of serve. It is for nobody else.
	backgroundCommand = "serve-in-background"
	// end follows the studies and the exports: neither JSON nor an argument holds it.
	end = '\x00'
)

// runBackground returns when an emulator in a process of its own is ready, or has failed and ended.
func runBackground(
	ctx context.Context, args []string, o options, stdout, stderr io.Writer,
) int {
	if err := startBackground(context.WithoutCancel(ctx), args, o, stdout); err != nil {
		complain(stderr, err)
		return exitFailure
	}
	return exitOK
}

func startBackground(ctx context.Context, args []string, o options, stdout io.Writer) error {
	for _, name := range []string{o.envFile, o.pidFile} {
		if strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/dev/std") {
			return fmt.Errorf("the process in the background has no %s of this one", name)
		}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	//nolint:gosec // the program is this one
	command := exec.CommandContext(ctx, program, append([]string{backgroundCommand}, args...)...)
	detach(command)
	input, inputErr := command.StdinPipe()
	output, outputErr := command.StdoutPipe()
	if err := errors.Join(inputErr, outputErr, command.Start()); err != nil {
		return err
	}
	_, _ = io.WriteString(input, o.studiesText+string(end)) // or no exports come
	text, err := bufio.NewReader(output).ReadString(end)
	if err == nil {
		_, err = io.WriteString(stdout, strings.TrimSuffix(text, string(end)))
		if err == nil { // whoever started it knows where it is
			_, err = input.Write([]byte{end})
		}
		if err == nil {
			return command.Process.Release()
		}
		text = err.Error()
	}
	_ = input.Close()  // without another byte it ends
	_ = command.Wait() // the state says more than the error
	return errors.New(cmp.Or(text,
		fmt.Sprintf("the process in the background has ended: %v", command.ProcessState)))
}

// serveInBackground is serve in the process that startBackground starts. Standard input has the
// studies, and then a byte once somebody knows of the emulator. Standard output gets what serve
// prints, or why it cannot.
func serveInBackground(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) int {
	signal.Ignore(syscall.SIGPIPE) // or it would end at once where nobody reads
	input := bufio.NewReader(stdin)
	studies, err := input.ReadString(end)
	if err != nil {
		return exitUsage
	}
	studies = strings.TrimSuffix(studies, string(end))
	o, status, done := parseOptions(backgroundCommand, args, strings.NewReader(studies),
		io.Discard, io.Discard) // nothing is wrong with them; a line for each request has no reader
	if done {
		return status
	}
	ctx, stop := signal.NotifyContext(ctx, append(endSignals(), os.Interrupt)...)
	defer stop()
	if o.pidFile != "" { // it is removed when the folder is another one
		o.pidFile, err = filepath.Abs(o.pidFile)
	}
	var i *instance
	if err == nil {
		i, err = startServe(ctx, o)
	}
	if err != nil {
		show(stdout, err.Error())
		return exitFailure
	}
	_ = os.Chdir("/") // or the folder could not be removed on Windows
	_, err = io.WriteString(stdout, i.exports(o, fmt.Sprintf(stopHint, os.Getpid()))+string(end))
	if _, unheard := input.ReadByte(); err != nil || unheard != nil {
		stop() // whoever started this process has gone, and nobody knows of it
	}
	return i.serve(ctx, stop, o, io.Discard)
}
