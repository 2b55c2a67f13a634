package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// service is the emulator in a process of its own, so that its work is not
// counted with that of Terraform.
type service struct {
	root    string
	env     []string // leads Terraform and what it starts there
	process *exec.Cmd
}

// startService runs the emulator with a latency that is added to each answer.
func startService(ctx context.Context, emulator string, latency time.Duration) (*service, error) {
	process := exec.CommandContext(ctx, emulator, "serve", "-listen", "127.0.0.1:0", "-latency", latency.String()) //nolint:gosec // was built here
	process.Env = environment()                                                                                    // standard error would have a line for each request
	stdout, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	s := &service{process: process}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		assignment, ok := strings.CutPrefix(lines.Text(), "export ")
		name, value, _ := strings.Cut(assignment, "=")
		if !ok {
			continue
		}
		value = strings.Trim(value, "'")
		s.env = append(s.env, name+"="+value)
		switch name {
		case "NOTIFICATION_EMULATOR_URL":
			s.root = value
		case "NOTIFICATION_CLIENT_SECRET": // the last one
			go func() { _, _ = io.Copy(io.Discard, stdout) }() // ends with the process
			return s, nil
		}
	}
	return nil, errors.Join(errors.New("the emulator did not start"), lines.Err(), process.Wait())
}

func (s *service) stop() {
	_ = s.process.Process.Kill() // fails when it has ended already
	_ = s.process.Wait()         // reports that
}

// received is what the emulator counted since it was last cleared.
type received struct {
	TokenRequests      int `json:"token_requests"`
	SubmissionRequests int `json:"submission_requests"`
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"`
	Connections        int `json:"connections"`
	Submissions        []struct {
		Channels []struct {
			Subject string `json:"subject"`
		} `json:"channels"`
	} `json:"submissions"`
}

func (r received) requests() int {
	return r.TokenRequests + r.SubmissionRequests + r.StudyRequests + r.OtherRequests
}

// distinct is how many different notifications were taken.
func (r received) distinct() int {
	subjects := map[string]bool{}
	for _, submission := range r.Submissions {
		for _, channel := range submission.Channels {
			subjects[channel.Subject] = true
		}
	}
	return len(subjects)
}

// take returns what was received and clears it.
func (s *service) take(ctx context.Context) (r received, err error) {
	err = s.ask(ctx, http.MethodGet, &r)
	if err == nil {
		err = s.ask(ctx, http.MethodDelete, nil)
	}
	return r, err
}

func (s *service) ask(ctx context.Context, method string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.root+"/_emulator/ledger", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // of an answer that was read or is of no interest
	if resp.StatusCode >= 300 {
		return fmt.Errorf("the emulator answered %s", resp.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(into)
}
