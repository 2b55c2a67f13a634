package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// roleVariable makes the test binary run as notification-emulator ("command") or as its COMMAND
// ("steps") instead of running tests.
const roleVariable = "EMULATOR_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		// Without its environment, a COMMAND would run the tests, which would start more COMMANDs.
		if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
			panic(roleVariable + " is not set for " + os.Args[1])
		}
		os.Exit(m.Run())
	case "command":
		if err := os.Setenv(roleVariable, "steps"); err != nil {
			panic(err)
		}
		main()
	case "steps":
		os.Exit(runSteps(os.Args[1:]))
	default:
		panic("unknown role " + role)
	}
}

// runSteps runs steps in sequence, as a shell would, and returns the status of the last one.
func runSteps(steps []string) (status int) {
	for _, step := range steps {
		var err error
		verb, object, _ := strings.Cut(step, " ")
		switch verb {
		case "announce":
			err = announce(context.Background())
		case "await":
			return await()
		case "cat":
			_, err = io.Copy(os.Stdout, os.Stdin)
		case "complain":
			fmt.Fprintln(os.Stderr, object)
		case "env":
			fmt.Println(strings.Join(os.Environ(), "\n"))
		case "exit":
			status, err = strconv.Atoi(object)
			if err == nil {
				return status
			}
		case "print":
			fmt.Println(os.Getenv(object))
		case "remove":
			err = remove(object)
		default:
			panic("unknown step " + step)
		}
		status = 0
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	return status
}

// remove removes a file, or a folder of files. os.RemoveAll does not work under Wine 8.
func remove(path string) error {
	entries, _ := os.ReadDir(path) // none if path is a file
	for _, entry := range entries {
		_ = os.Remove(filepath.Join(path, entry.Name()))
	}
	return os.Remove(path)
}

// tempDir is like t.TempDir, but also works under Wine 8; see remove.
func tempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { _ = remove(dir) })
	return dir
}

// await waits for a signal, and returns a different status for each.
func await() int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	fmt.Println("ready")
	select {
	case s := <-signals:
		return map[os.Signal]int{syscall.SIGTERM: 7, os.Interrupt: 8}[s]
	case <-time.After(time.Minute): // the test has failed: do not leave a process behind
		fmt.Println("no signal arrived")
		return 99
	}
}

// announce looks up a study and submits a notification.
func announce(ctx context.Context) error {
	accessToken, err := token(ctx, os.Getenv)
	if err != nil {
		return err
	}
	base := os.Getenv("NOTIFICATION_BASE_URL")
	if system := os.Getenv("NOTIFICATION_SYSTEM"); system != "" {
		base += "/" + url.PathEscape(system)
	}
	const notification = `{"priority":"HIGH","channels":[{"type":"slack",` +
		`"recipient":["C024BE91L","a b"],"subject":"checkout\u001b[31m is live"},{"type":"mail"}]}`
	studies := os.Getenv("NOTIFICATION_BASE_URL") + "/studies/v1?name=ATLAS"
	if _, err := ask(ctx, http.MethodGet, studies, "", "", accessToken); err != nil {
		return err
	}
	_, err = ask(ctx, http.MethodPost, base+"/notifications/v1", "application/json", notification,
		accessToken)
	return err
}

// token obtains an access token with the settings that get returns.
func token(ctx context.Context, get func(name string) string) (string, error) {
	form := url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {get("NOTIFICATION_CLIENT_ID")},
		"client_secret": {get("NOTIFICATION_CLIENT_SECRET")},
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	body, err := ask(ctx, http.MethodPost, get("NOTIFICATION_AUTH_URL")+"/oauth2/token",
		"application/x-www-form-urlencoded", form.Encode(), "")
	if err == nil {
		err = json.Unmarshal(body, &token)
	}
	return token.AccessToken, err
}

// ask sends a request and returns the body of the response, whatever its status. The error is from
// the connection.
func ask(ctx context.Context, method, address, contentType, body, token string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if name := os.Getenv("NOTIFICATION_IDEMPOTENCY_KEY_HEADER"); name != "" {
		request.Header.Set(name, "checkout 1\u202e")
	}
	if parent := os.Getenv("TRACEPARENT"); parent != "" {
		request.Header.Set("Traceparent", parent)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	return text, errors.Join(err, response.Body.Close())
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

func (s *stream) String() string { return string(s.text) }

// stepsEnviron also keeps the race detector from delaying the end of each process by a second.
func stepsEnviron() []string {
	return append(os.Environ(), roleVariable+"=steps", "GORACE=atexit_sleep_ms=0")
}

// result is the result of a run of the command.
type result struct {
	status         int
	stdout, stderr string
}

// runWith runs the command. Its COMMAND, if any, is the test binary with steps as arguments.
func runWith(t *testing.T, env []string, args ...string) result {
	t.Helper()
	var stdout, stderr stream
	status := run(t.Context(), args, slices.Concat(stepsEnviron(), env),
		strings.NewReader("from stdin"), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args           []string
		status         int
		stdout, stderr string // substrings; empty: no output
	}{
		{nil, 2, "", "a subcommand is missing"},
		{[]string{"help"}, 0, "notification-emulator serve [flags]", ""},
		{[]string{"-h"}, 0, "notification-emulator exec [flags] -- COMMAND", ""},
		{[]string{"run"}, 2, "", `no subcommand "run"`},
		{[]string{"serve", "-h"}, 0, "  -token-lifetime DURATION\n", ""},
		{[]string{"serve", "-h"}, 0, "  -env-file FILE\n", ""},
		{[]string{"exec", "--help"}, 0, "  -expect N\n", ""},
		{[]string{"exec", "--help"}, 0, "status[-after]:CODE[:RETRY_AFTER]", ""},
		{[]string{"exec", "--help"}, 0, "  -studies-path PATH\n    \tPATH of the studies endpoint " +
			"(default [system/]studies/v1)\n", ""},
		{[]string{"--version"}, 0, "notification-emulator dev\n", ""},
		{[]string{"health", "a", "b"}, 2, "", `got ["a" "b"]`},
		{[]string{"health", "-wait", "long"}, 2, "", "-wait"},
		{[]string{"health", "http://127.0.0.1:1/"}, 1, "", "127.0.0.1:1"},
		{[]string{"exec", "--allow-host", "a:1", "true"}, 125, "", `"a:1"`},
		{[]string{"exec"}, 125, "", "the COMMAND is missing"},
		{[]string{"exec", "--"}, 125, "", "Usage: notification-emulator exec"},
		{[]string{"serve", "extra"}, 2, "", `"extra"`},
		{[]string{"serve", "--ledger", "x"}, 2, "", "-ledger"},
		{[]string{"exec", "--expect", "-1", "true"}, 125, "", "whole number"},
		{[]string{"exec", "--token-lifetime", "-5s", "true"}, 125, "", "lifetime"},
		{[]string{"exec", "--idempotency-key-header", "a:", "true"}, 125, "", `"a:"`},
		{[]string{"exec", "--fault", "token", "true"}, 125, "", "TARGET=SEQUENCE"},
		{[]string{"exec", "--fault", "token=bang", "true"}, 125, "", `"bang"`},
		{[]string{"exec", "--fault", "token=pass", "--fault", "token=html", "true"}, 125, "", "already"},
		{[]string{"exec", "--studies", "does-not-exist.json", "true"}, 125, "", "does-not-exist.json"},
		{[]string{"exec", "--listen", "nowhere", "true"}, 125, "", "nowhere"},
		{[]string{"exec", "--ledger", "does/not/exist", "true"}, 125, "", "does/not/exist"},
		{[]string{"serve", "--listen", "127.0.0.1:-1"}, 1, "", "-1"},
	} {
		t.Run(strings.ReplaceAll(strings.Join(test.args, " "), "/", "|"), func(t *testing.T) {
			t.Parallel()
			r := runWith(t, nil, test.args...)
			if r.status != test.status {
				t.Errorf("status is %d, want %d", r.status, test.status)
			}
			for name, stream := range map[string]struct{ got, want string }{
				"stdout": {r.stdout, test.stdout},
				"stderr": {r.stderr, test.stderr},
			} {
				if !strings.Contains(stream.got, stream.want) || stream.want == "" && stream.got != "" {
					t.Errorf("%s is %q, want %q", name, stream.got, stream.want)
				}
			}
			if test.status == exitUsage && !strings.Contains(r.stderr, "Usage:") {
				t.Errorf("there is no usage in %q", r.stderr)
			}
		})
	}
}
