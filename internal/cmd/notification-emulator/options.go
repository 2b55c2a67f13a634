package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
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
	ledgerFile  string   // of exec only; empty: none
	expect      *int     // of exec only: how many notifications must arrive; nil: any number
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
	flags := o.flagSet(subcommand)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		showHelp(stdout, flags)
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
		if err := o.readStudies(stdin); err != nil {
			complain(stderr, err)
			return o, failure, true
		}
		// A secret of the environment may be a real one, and would be accepted here.
		if o.config.ClientSecret == "" {
			o.config.ClientSecret = rand.Text()
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

func (o *options) flagSet(subcommand string) *flag.FlagSet {
	flags := flag.NewFlagSet(subcommand, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // what to print where is decided by the caller of Parse

	defaultListen := "127.0.0.1:8080"
	if subcommand == "exec" {
		defaultListen = "127.0.0.1:0"
		flags.StringVar(&o.ledgerFile, "ledger", "",
			"`FILE` to write the ledger to, as JSON, when COMMAND has ended; - is standard output")
		flags.Func("expect", "exit with 1 when COMMAND succeeded but not exactly `N` notifications arrived",
			func(text string) error {
				n, err := strconv.Atoi(text)
				if err != nil || n < 0 {
					return errors.New("must be a whole number, 0 or more")
				}
				o.expect = &n
				return nil
			})
	}
	flags.StringVar(&o.listen, "listen", defaultListen, "`ADDRESS` to listen on; port 0 is a free one")
	flags.StringVar(&o.config.ClientID, "client-id", "demo-client", "client `ID` that gets tokens")
	flags.StringVar(&o.config.ClientSecret, "client-secret", "",
		"client `SECRET` that gets tokens (default: a random one; never one of the environment)")
	flags.Func("scope", "`SCOPE` that can be granted; may be repeated (default: whatever is asked for)",
		func(scope string) error {
			o.config.Scopes = append(o.config.Scopes, scope)
			return nil
		})
	flags.StringVar(&o.config.System, "system", "", "<system> `SEGMENT` of the API's paths")
	flags.StringVar(&o.config.NotificationsPath, "notifications-path", "",
		"`PATH` of the submission endpoint (default: [system/]notifications/v1)")
	flags.StringVar(&o.config.StudiesPath, "studies-path", "",
		"`PATH` of the studies endpoint (default: [system/]studies/v1)")
	flags.DurationVar(&o.config.TokenLifetime, "token-lifetime", time.Hour,
		"`DURATION` for which a token is valid; 0: for ever, and answers have no expires_in")
	flags.DurationVar(&o.config.Latency, "latency", 0, "`DURATION` added to every answer")
	flags.StringVar(&o.studiesFile, "studies", "",
		"`FILE` with the catalogue of studies, a JSON array of objects; - is standard input\n"+
			"(default: a few examples)")
	o.config.Faults = make(emulator.Faults)
	flags.Func("fault",
		"faults to begin with, as `TARGET=SEQUENCE` (see below); may be repeated, once for each target",
		func(text string) error {
			target, sequence, ok := strings.Cut(text, "=")
			if !ok {
				return errors.New("must be TARGET=SEQUENCE")
			}
			if _, twice := o.config.Faults[target]; twice {
				return fmt.Errorf("there are faults for %s already: join the sequences with a comma", target)
			}
			o.config.Faults[target] = sequence
			return nil
		})
	return flags
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
	err = json.Unmarshal(text, &o.config.Studies)
	if err == nil && o.config.Studies == nil { // which would mean the examples
		err = errors.New("it is null")
	}
	if err != nil {
		return fmt.Errorf("%s must hold a JSON array of objects: %w", o.studiesFile, err)
	}
	return nil
}

// synopsis ends with a newline.
func synopsis(subcommand string) string {
	if subcommand == "serve" {
		return "Usage: notification-emulator serve [flags]\n"
	}
	return "Usage: notification-emulator exec [flags] -- COMMAND [ARGS...]\n"
}

func showHelp(w io.Writer, flags *flag.FlagSet) {
	show(w, synopsis(flags.Name()))
	if flags.Name() == "serve" {
		show(w, `
Runs a stand-in for the notification service until it is interrupted, and then
shows what it has received. What to export to reach it is printed at the start.
`)
	} else {
		show(w, `
Starts a stand-in for the notification service, runs COMMAND with NOTIFICATION_*
variables that lead to it, shows what it has received, and exits as COMMAND did.
`)
	}
	show(w, `
While it runs, $NOTIFICATION_EMULATOR_URL/_emulator/ledger (GET, DELETE) is what it
has received, $NOTIFICATION_EMULATOR_URL/_emulator/faults (GET, POST) is what goes
wrong, and a POST to $NOTIFICATION_EMULATOR_URL/_emulator/revoke revokes all tokens.

Flags:

`)
	flags.SetOutput(w)
	flags.PrintDefaults()
	show(w, "\n"+emulator.FaultUsage())
}
