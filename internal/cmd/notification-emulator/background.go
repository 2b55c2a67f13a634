package main

import (
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"terraform-provider-notification/internal/emulator"
)

// backgroundCommand is the subcommand of the process that serve -background starts. It is for
// nobody else.
const backgroundCommand = "serve-in-background"

// order is what that process reads from standard input. In its arguments everybody on the machine
// could see the secret.
type order struct {
	Listen, EnvFile, PIDFile string
	Config                   emulator.Config // without Log, which gob leaves out
	NoStudies                bool            // the catalogue is empty, which gob would make nil
}

// report is what it answers, once: what serve prints, or why it cannot.
type report struct{ Exports, Problem string }

// runBackground returns when an emulator in a process of its own is ready, or has failed and ended.
func runBackground(ctx context.Context, o options, stdout, stderr io.Writer) int {
	if err := startBackground(context.WithoutCancel(ctx), o, stdout); err != nil {
		complain(stderr, err)
		return exitFailure
	}
	return exitOK
}

func startBackground(ctx context.Context, o options, stdout io.Writer) error {
	var err error
	for _, name := range []string{o.envFile, o.pidFile} {
		if strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/dev/std") {
			return fmt.Errorf("the process in the background has no %s of this one", name)
		}
	}
	if o.pidFile != "" { // it is removed when the folder is another one
		if o.pidFile, err = filepath.Abs(o.pidFile); err != nil {
			return err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // has been read
	//nolint:gosec // the program is this one
	command := exec.CommandContext(ctx, program, backgroundCommand)
	stdin, err := command.StdinPipe()
	if err == nil {
		err = detach(command, w)
	}
	if err == nil {
		err = command.Start()
	}
	_ = w.Close() // the process has its own
	if err != nil {
		return err
	}
	input := gob.NewEncoder(stdin)
	noStudies := o.config.Studies != nil && len(o.config.Studies) == 0
	_ = input.Encode(order{o.listen, o.envFile, o.pidFile, o.config, noStudies}) // or no report comes
	var got report
	if err = gob.NewDecoder(r).Decode(&got); err == nil && got.Problem == "" {
		if _, err = io.WriteString(stdout, got.Exports); err == nil {
			err = input.Encode(true) // whoever started it knows where it is
		}
		if err == nil {
			return command.Process.Release()
		}
		got.Problem = err.Error()
	}
	_ = stdin.Close()  // without a confirmation it ends
	_ = command.Wait() // the state says more than the error
	return errors.New(cmp.Or(got.Problem,
		fmt.Sprintf("the process in the background has ended: %v", command.ProcessState)))
}

// serveInBackground is serve in the process that startBackground starts. args is the descriptor to
// report to: were that standard output, the process would end by SIGPIPE if nobody reads it.
func serveInBackground(ctx context.Context, args []string, stdin io.Reader) int {
	var got order
	input := gob.NewDecoder(stdin)
	descriptor, err := strconv.ParseUint(strings.Join(args, ""), 10, 0)
	if err = errors.Join(err, input.Decode(&got)); err != nil {
		return exitUsage
	}
	if got.NoStudies {
		got.Config.Studies = []json.RawMessage{}
	}
	o := options{
		listen: got.Listen, envFile: got.EnvFile, pidFile: got.PIDFile, config: got.Config,
	}
	ctx, stop := signal.NotifyContext(ctx, append(endSignals(), os.Interrupt)...)
	defer stop()
	var i *instance
	if o.emulator, err = emulator.New(o.config); err == nil {
		i, err = startServe(ctx, o)
	}
	var answer report
	if err != nil {
		answer.Problem = err.Error()
	} else {
		_ = os.Chdir("/") // or the folder could not be removed on Windows
		answer.Exports = i.exports(o, fmt.Sprintf(stopHint, os.Getpid()))
	}
	w := os.NewFile(uintptr(descriptor), "report")
	err = errors.Join(gob.NewEncoder(w).Encode(answer), w.Close())
	if received := false; err != nil || input.Decode(&received) != nil {
		stop() // whoever started this process has gone, and nobody knows of it
	}
	if i == nil {
		return exitFailure
	}
	return i.serve(ctx, stop, o, io.Discard)
}
