package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// standardStream is the name of a file that stands for standard input or output.
const standardStream = "-"

// options are what the command line says.
type options struct {
	listen      string // host:port
	config      emulator.Config
	emulator    *emulator.Emulator // made of config
	studiesFile string
	studiesText string   // its content
	ledgerFile  string   // of exec only; empty: none
	envFile     string   // of serve only; empty: none
	pidFile     string   // of serve only; empty: none
	background  bool     // of serve only
	expect      *int     // of exec only: how many notifications must arrive; nil: any number
	log         bool     // a line for each request, on standard error
	command     []string // what is left after the flags
}

// parseOptions reads the flags of a subcommand and makes the emulator. When it returns done, there
// is nothing more to do but to exit with the status: it has said what was wrong, or has shown the
// help that was asked for.
func parseOptions(
	subcommand string, args []string, stdin io.Reader, stdout, stderr io.Writer,
) (o options, status int, done bool) {
	failure, misuse := exitFailure, exitUsage
	if subcommand == "exec" {
		failure, misuse = exitOwnFailure, exitOwnFailure
	}
	o.config.Faults, o.config.Version = make(emulator.Faults), version
	flags := o.flagSet(subcommand)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		showHelp(stdout, subcommand)
		return o, exitOK, true
	}
	o.command = flags.Args()
	switch {
	case err != nil:
	case subcommand == "exec" && len(o.command) == 0:
		err = errors.New("the COMMAND is missing")
	case subcommand == "serve" && len(o.command) > 0:
		err = fmt.Errorf("serve takes no arguments, but got %q", o.command)
	default:
		if subcommand == backgroundCommand && o.studiesFile != "" {
			o.studiesFile = standardStream // what the file held, which may have been a pipe
		}
		if err := o.readStudies(stdin); err != nil {
			complain(stderr, err)
			return o, failure, true
		}
		// A secret of the environment may be a real one, and would be accepted here.
		if o.config.ClientSecret == "" {
			o.config.ClientSecret = rand.Text()
		}
		if o.log {
			lines := log.New(stderr, "", 0)
			o.config.Log = func(r emulator.Request) { lines.Print(logLine(r)) }
		}
		o.emulator, err = emulator.New(o.config)
	}
	if err != nil {
		complain(stderr, err)
		show(stderr, "\n"+synopsis(subcommand)+"\nWith -h it explains the flags and the faults.\n")
		return o, misuse, true
	}
	return o, exitOK, false
}

// flagSet has no texts: help/ has them.
func (o *options) flagSet(subcommand string) *flag.FlagSet {
	flags := flag.NewFlagSet(subcommand, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // what to print where is decided by the caller of Parse
	several := func(values *[]string) func(string) error {
		return func(value string) error { *values = append(*values, value); return nil }
	}
	if subcommand == "exec" {
		flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "")
		flags.StringVar(&o.ledgerFile, "ledger", "", "")
		flags.BoolVar(&o.log, "verbose", false, "")
		flags.Func("expect", "", o.setExpect)
	} else {
		flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "")
		flags.StringVar(&o.envFile, "env-file", "", "")
		flags.StringVar(&o.pidFile, "pid-file", "", "")
		flags.BoolVar(&o.background, "background", false, "")
		o.log = true
	}
	flags.Func("allow-host", "", several(&o.config.AllowedHosts))
	flags.StringVar(&o.config.ClientID, "client-id", "demo-client", "")
	flags.StringVar(&o.config.ClientSecret, "client-secret", "", "")
	flags.Func("scope", "", several(&o.config.Scopes))
	flags.Func("system", "", several(&o.config.Systems))
	flags.StringVar(&o.config.NotificationsPath, "notifications-path", "", "")
	flags.StringVar(&o.config.StudiesPath, "studies-path", "", "")
	flags.DurationVar(&o.config.TokenLifetime, "token-lifetime", time.Hour, "")
	flags.DurationVar(&o.config.Latency, "latency", 0, "")
	flags.StringVar(&o.studiesFile, "studies", "", "")
	flags.StringVar(&o.config.IdempotencyKeyHeader, "idempotency-key-header", "", "")
	flags.IntVar(&o.config.LedgerLimit, "ledger-limit", 0, "")
	flags.Func("fault", "", o.addFault)
	return flags
}

func (o *options) setExpect(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("must be a whole number, 0 or more")
	}
	o.expect = &n
	return nil
}

func (o *options) addFault(text string) error {
	target, sequence, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("must be TARGET=SEQUENCE")
	}
	if _, twice := o.config.Faults[target]; twice {
		return fmt.Errorf("there are faults for %s already: join the sequences with a comma", target)
	}
	o.config.Faults[target] = sequence
	return nil
}

func (o *options) readStudies(stdin io.Reader) error {
	var text []byte
	var err error
	switch o.studiesFile {
	case "":
		return nil
	case standardStream:
		text, err = io.ReadAll(stdin)
	default:
		text, err = os.ReadFile(o.studiesFile)
	}
	if err != nil {
		return err
	}
	o.studiesText = string(text)
	err = json.Unmarshal(text, &o.config.Studies)
	if err == nil && o.config.Studies == nil { // which would mean the examples
		err = errors.New("it is null")
	}
	if err != nil {
		return fmt.Errorf("%s must hold a JSON array of objects: %w", o.studiesFile, err)
	}
	return nil
}
