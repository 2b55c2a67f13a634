package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
)

// TestMain makes the test binary a COMMAND of exec, if it is started with the name of one of these,
// and notification-emulator itself, if it is started with one of its subcommands.
func TestMain(m *testing.M) {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 0 || strings.HasPrefix(args[0], "-test."):
		emulatortest.ClearEnvironment()
		// Otherwise the race detector delays the end of each process by a second.
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // fails for invalid names only
		os.Exit(m.Run())
	case args[0] == "serve" || args[0] == "exec" || args[0] == "health":
		main()
	case args[0] == "announce":
		err = announce(args[1])
	case args[0] == "await":
		os.Exit(await())
	case args[0] == "copy":
		_, err = io.Copy(os.Stdout, os.Stdin)
		fmt.Fprint(os.Stderr, "to stderr")
	case args[0] == "env":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case args[0] == "exit":
		for _, file := range args[2:] {
			_ = os.RemoveAll(file) // the test looks whether it is gone
		}
		status, _ := strconv.Atoi(args[1])
		os.Exit(status)
	case args[0] == "signals":
		fmt.Println(stopSignals())
	default:
		err = fmt.Errorf("there is no command %q", args)
	}
	if err != nil {
		panic(err)
	}
}

// announce submits so many notifications, all under one idempotency key if a header for it is set.
func announce(times string) error {
	credentials := clientcredentials.Config{
		ClientID:     os.Getenv("NOTIFICATION_CLIENT_ID"),
		ClientSecret: os.Getenv("NOTIFICATION_CLIENT_SECRET"),
		TokenURL:     os.Getenv("NOTIFICATION_AUTH_URL") + "/oauth2/token",
		AuthStyle:    oauth2.AuthStyleInParams,
	}
	client := credentials.Client(context.Background())
	address := os.Getenv("NOTIFICATION_BASE_URL") + "/notifications/v1"
	n, err := strconv.Atoi(times)
	for range n {
		request, _ := http.NewRequest(http.MethodPost, address, strings.NewReader(
			`{"priority":"HIGH","channels":[{"type":"slack","recipient":["C024BE91L","a b"],`+
				`"subject":"checkout\u001b[31m is live"},{"type":"mail"}]}`))
		request.Header.Set("Content-Type", "application/json")
		if header := os.Getenv("NOTIFICATION_IDEMPOTENCY_KEY_HEADER"); header != "" {
			request.Header.Set(header, "checkout 1\u202e")
		}
		if response, err := client.Do(request); err == nil { // or a fault broke the connection
			_ = response.Body.Close()
		}
	}
	return err
}

// await waits for two signals, as Terraform does, and returns 7 if both are SIGTERM.
func await() (status int) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	for _, text := range []string{"ready", "once"} {
		time.Sleep(100 * time.Millisecond) // what was passed on besides would arrive now
		if len(signals) > 0 {
			return 98
		}
		fmt.Println(text)
		select {
		case s := <-signals:
			status += map[os.Signal]int{syscall.SIGTERM: 7, os.Interrupt: 1}[s]
		case <-time.After(time.Minute): // the test has failed: do not leave a process behind
			return 99
		}
	}
	return status / 2
}

// tempFile returns the name of a new file with the text.
func tempFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	err := os.WriteFile(file, []byte(text), 0o644)
	if err = errors.Join(err, os.Chmod(file, 0o644)); err != nil { // whatever the umask
		t.Fatal(err)
	}
	return file
}

// stream is a buffer that the command and its child can write to concurrently.
type stream struct {
	mu   sync.Mutex
	text []byte
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, b...)
	return len(b), nil
}

// result is the result of a run of the command.
type result struct {
	status         int
	stdout, stderr string
}

// runWith runs the command, with further variables in its environment.
func runWith(t *testing.T, env []string, args ...string) result {
	t.Helper()
	var stdout, stderr stream
	status := run(t.Context(), args, append(os.Environ(), env...),
		strings.NewReader("from stdin"), &stdout, &stderr)
	return result{status, string(stdout.text), string(stderr.text)}
}

// Each flag of the configuration has an effect, and so has its variable where it is not given. The
// client learns each path.
func TestOptions(t *testing.T) {
	t.Parallel()
	const studies = `[{"name":"a"}]`
	values := map[string]string{
		"client-id": "a", "client-secret": "b", "token-lifetime": "2s", "idempotency-key-header": "E",
		"fault": "token=hang", "studies": tempFile(t, "studies.json", studies), "verbose": "false",
	}
	want := emulator.Config{
		ClientID: "a", ClientSecret: "b", TokenLifetime: 2 * time.Second, IdempotencyKeyHeader: "E",
		Version: "dev", Faults: emulator.Faults{"token": "hang"}, Studies: []byte(studies),
	}
	var args, env, overridden, paths []string
	for field := range reflect.TypeFor[emulator.Config]().Fields() {
		name := strings.ToLower(regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(field.Name, "$1-$2"))
		if strings.HasSuffix(name, "-path") {
			values[name] = name
			reflect.ValueOf(&want).Elem().FieldByIndex(field.Index).SetString(name)
			paths = append(paths, "NOTIFICATION_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+name)
		}
	}
	for name, value := range values {
		variable := "EMULATOR_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "="
		args, env = append(args, "-"+name+"="+value), append(env, variable+value)
		overridden = append(overridden, variable+"token=explode")
	}
	var stderr stream
	byArgs, _, _ := parseOptions("serve", args, overridden, io.Discard, &stderr)
	byEnv, _, _ := parseOptions("serve", nil, env, io.Discard, &stderr)
	for _, got := range []options{byArgs, byEnv} {
		if got.emulator == nil || !reflect.DeepEqual(got.config, want) {
			t.Errorf("got %+v, want %+v\n%s", got.config, want, stderr.text)
			continue
		}
		variables := new(instance).variables(got)
		for _, path := range paths {
			if !slices.Contains(variables, path) {
				t.Errorf("no %s in %q", path, variables)
			}
		}
	}
	env = []string{"EMULATOR_CLIENT_ID="}
	defaults, _, _ := parseOptions("serve", nil, env, io.Discard, io.Discard)
	if defaults.config.TokenLifetime != time.Hour || defaults.config.ClientID != "demo-client" {
		t.Errorf("the defaults are %+v", defaults.config)
	}
	stderr.text = nil
	_, status, _ := parseOptions("exec", []string{"true"}, []string{
		"EMULATOR_EXPECT=-1", "EMULATOR_TOKEN_LIFETIME=x"}, io.Discard, &stderr)
	text := string(stderr.text)
	if status != exitOwnFailure || !strings.Contains(text, "invalid EMULATOR_EXPECT: must be a whole") ||
		!strings.Contains(text, "invalid EMULATOR_TOKEN_LIFETIME: ") {
		t.Errorf("got %d, %s", status, text)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args           []string
		status         int
		stdout, stderr string // substrings; empty: no output
	}{
		{nil, 2, "", "a subcommand is missing"},
		{[]string{"run"}, 2, "", `no subcommand "run"`},
		{[]string{"help"}, 0, "notification-emulator serve [flags]", ""},
		{[]string{"--version"}, 0, "notification-emulator dev\n", ""},
		{[]string{"serve", "-h"}, 0, `free one (default "127.0.0.1:8080")`, ""}, // no other machine
		{[]string{"exec", "-h"}, 0, `free one (default "127.0.0.1:0")`, ""},
		{[]string{"exec", "--help"}, 0, "Targets: token, submission, studies. Steps:\n\n  pass ", ""},
		{[]string{"health", "-h"}, 0, "health [-wait DURATION] [URL]", ""},
		{[]string{"health", "a", "b"}, 2, "", `got ["a" "b"]`},
		{[]string{"exec"}, 125, "", "the COMMAND is missing"},
		{[]string{"serve", "extra"}, 2, "", `"extra"`},
		{[]string{"serve", "--ledger", "x"}, 2, "", "-ledger"},
		{[]string{"exec", "--fault", "token", "true"}, 125, "", "TARGET=SEQUENCE"},
		{[]string{"exec", "--fault", "token=bang", "true"}, 125, "", `"bang"`},
		{[]string{"exec", "--fault", "token=pass", "--fault", "token=html", "true"}, 125, "", "already"},
		{[]string{"exec", "--studies", "does-not-exist.json", "true"}, 125, "", "does-not-exist.json"},
		{[]string{"exec", "--listen", "nowhere", "true"}, 125, "", "nowhere"},
		{[]string{"serve", "--listen", "127.0.0.1:-1"}, 1, "", "-1"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--env-file", t.TempDir()}, 1, "", "directory"},
	} {
		r := runWith(t, nil, test.args...)
		if r.status != test.status || (r.stdout == "") != (test.stdout == "") ||
			(r.stderr == "") != (test.stderr == "") || !strings.Contains(r.stdout, test.stdout) ||
			!strings.Contains(r.stderr, test.stderr) ||
			test.status == exitUsage && !strings.Contains(r.stderr, "Usage:") {
			t.Errorf("%+v: got %+v", test, r)
		}
	}
}
