package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

const (
	execSynopsis  = "Usage: notification-emulator exec [flags] -- COMMAND [ARGS...]\n"
	serveSynopsis = "Usage: notification-emulator serve [flags]\n"

	aboutExec = `
Starts a stand-in for the notification service, runs COMMAND with NOTIFICATION_*
environment variables that point to it and no others, and writes a summary to
standard error. The provider then makes no request to any other address. For
assertions of terraform test, TF_VAR_notification_emulator_url has it, too.

The exit status is that of COMMAND; 1 if -expect is not met; 125 for failures of
exec itself, 126 and 127 if COMMAND cannot be run or found.
`
	aboutServe = `
Runs a stand-in for the notification service until it is interrupted, and serves
a web UI that lists incoming requests. Standard output gets lines that a shell can
source to reach it, standard error a line for each request, and a summary.
`
	aboutFlags = `
Flags, which take precedence over environment variables such as EMULATOR_CLIENT_ID for
-client-id:

`
)

type options struct {
	listen   string // host:port
	config   emulator.Config
	emulator *emulator.Emulator // created from config
	ledger   string             // of exec only: a file; empty: none
	envFile  string             // of serve only; empty: none
	expect   int                // of exec only: how many notifications must arrive; -1: any number
	remote   bool               // of exec only: an apply may have a remote state
	verbose  bool               // a line for each request, on standard error
	command  []string           // the arguments after the flags
}

// parseOptions parses the flags of a subcommand, with defaults from env, and creates the emulator.
// If done, it has printed the help or an error, and the command must exit with the status.
func parseOptions(
	subcommand string, args, env []string, stdout, stderr io.Writer,
) (o options, status int, done bool) {
	misuse, synopsis, about := exitUsage, serveSynopsis, aboutServe
	if subcommand == "exec" {
		misuse, synopsis, about = exitOwnFailure, execSynopsis, aboutExec
	}
	flags := o.flagSet(subcommand)
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		show(stdout, synopsis+about+aboutFlags)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		show(stdout, "\n"+emulator.FaultUsage()+"\nGET /_emulator/ledger returns the ledger as JSON.\n")
		return o, exitOK, true
	}
	if err == nil {
		err = setFromEnvironment(flags, env)
	}
	o.command = flags.Args()
	switch {
	case err != nil:
	case subcommand == "exec" && len(o.command) == 0:
		err = errors.New("the COMMAND is missing")
	case subcommand == "serve" && len(o.command) > 0:
		err = fmt.Errorf("serve takes no arguments, but got %q", o.command)
	default:
		// Not the secret in the environment, which may be real, and which the emulator would accept.
		if o.config.ClientSecret == "" {
			o.config.ClientSecret = rand.Text()
		}
		if o.verbose {
			lines := log.New(stderr, "", 0)
			o.config.Log = func(r emulator.Request) { lines.Print(logLine(r)) }
		}
		o.emulator, err = emulator.New(o.config)
	}
	if err != nil {
		return o, fail(stderr, fmt.Sprintf("%v\n\n%s\nUse -h for help on the flags and the faults.",
			err, synopsis), misuse), true
	}
	return o, exitOK, false
}

// setFromEnvironment sets each flag that the arguments did not set to the value of its variable:
// the service container of a CI job often gets variables, but no arguments.
func setFromEnvironment(flags *flag.FlagSet, env []string) error {
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var problems []error
	flags.VisitAll(func(f *flag.Flag) {
		name := "EMULATOR_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		for _, entry := range env {
			value, found := strings.CutPrefix(entry, name+"=")
			if !found || value == "" || given[f.Name] {
				continue
			}
			if err := flags.Set(f.Name, value); err != nil {
				problems = append(problems, fmt.Errorf("invalid %s: %w", name, err))
			}
		}
	})
	return errors.Join(problems...)
}

func (o *options) flagSet(subcommand string) *flag.FlagSet {
	flags := flag.NewFlagSet(subcommand, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // parseOptions prints errors and help
	o.config.Faults, o.config.Version = make(emulator.Faults), version
	o.expect = -1
	address, isServe := "127.0.0.1:8080", subcommand == "serve"
	if isServe {
		flags.StringVar(&o.envFile, "env-file", "",
			"`FILE` to append NAME=VALUE lines to before it responds; must end in a newline")
	} else {
		address = "127.0.0.1:0"
		flags.StringVar(&o.ledger, "ledger", "",
			"`FILE` to write the ledger to, as JSON, when COMMAND has ended")
		flags.BoolVar(&o.remote, "remote-state", false,
			"let terraform or tofu apply although its state is remote, and so records\nwhat arrives as sent")
		flags.Func("expect", "exit with 1 unless exactly `N` notifications arrived; a failure of\n"+
			"COMMAND takes precedence", func(text string) (err error) {
			if o.expect, err = strconv.Atoi(text); err != nil || o.expect < 0 {
				err = errors.New("must be a whole number, 0 or more")
			}
			return err
		})
	}
	flags.StringVar(&o.listen, "listen", address, "`ADDRESS` to listen on; port 0: a free one")
	flags.BoolVar(&o.verbose, "verbose", isServe, "a line for each request on standard error")
	flags.StringVar(&o.config.ClientID, "client-id", "demo-client", "`ID` of the client")
	flags.StringVar(&o.config.ClientSecret, "client-secret", "",
		"`SECRET` of the client (default: random, never from the environment)")
	flags.StringVar(&o.config.TokenPath, "token-path", "",
		"`PATH` of the token endpoint (default oauth2/token)")
	flags.StringVar(&o.config.NotificationsPath, "notifications-path", "",
		"`PATH` of the submission endpoint (default [system/]notifications/v1)")
	flags.StringVar(&o.config.StudiesPath, "studies-path", "",
		"`PATH` of the studies endpoint (default [system/]studies/v1)")
	flags.Func("studies", "`FILE` with the studies to look up, a JSON array of objects with a\n"+
		"name (default: a few examples)", func(file string) (err error) {
		if file != "" {
			o.config.Studies, err = os.ReadFile(file) //nolint:gosec // the user's choice
		}
		return err
	})
	flags.DurationVar(&o.config.TokenLifetime, "token-lifetime", time.Hour,
		"`DURATION` for which a token is valid; 0: forever, and responses have\nno expires_in")
	flags.StringVar(&o.config.IdempotencyKeyHeader, "idempotency-key-header", "",
		"`NAME` of the header in which submissions carry a key: one that repeats\n"+
			"a key gets the first response, or 422 with another body")
	flags.Func("fault", "`TARGET=SEQUENCE` of faults to begin with; may be repeated, once for\n"+
		"each target", o.addFault)
	return flags
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
