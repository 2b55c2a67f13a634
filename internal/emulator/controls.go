package emulator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"terraform-provider-notification/internal/emulator/page"
)

func (s *service) servePage(w http.ResponseWriter, r *http.Request) {
	s.writePage(w, r, http.StatusOK, "")
}

// writePage answers with the page, and with what is wrong with a form of it.
func (s *service) writePage(w http.ResponseWriter, r *http.Request, status int, wrong string) {
	v, err := page.NewView(r)
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	v.Wrong = wrong
	v.ClientID, v.KeyHeader = s.config.ClientID, s.config.IdempotencyKeyHeader
	v.NotificationsPath = strings.TrimPrefix(s.config.NotificationsPath, "/")
	if len(s.config.Systems) > 0 {
		v.System = s.config.Systems[0]
	}
	s.mu.Lock()
	v.Faults, v.Valid, v.Issued = s.faults.Faults(), s.tokens.valid(), s.tokens.issued
	v.List(s.book)
	s.mu.Unlock()
	v.Write(w, status)
}

func (s *service) serveEvents(w http.ResponseWriter, r *http.Request) {
	page.ServeEvents(w, r, s.nextChange, s.closed)
}

// serveForm does what a form of the page asks for, with or without its script.
func (s *service) serveForm(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := r.ParseForm()
	form, do := r.PostForm, r.PostForm.Get("do")
	for name, values := range form {
		if len(values) > 1 || !slices.Contains([]string{"do", "target", "fault", "count"}, name) {
			do, err = "", fmt.Errorf("the form must not hold %.60q, or not %d times", name, len(values))
		}
	}
	switch do {
	case "inject":
		target, step := form.Get("target"), form.Get("fault")
		if target == "" { // as a sentence has it
			target, step, _ = strings.Cut(step, "=")
		}
		if count := form.Get("count"); count != "1" {
			step += "*" + count
		}
		err = s.SetFaults(Faults{target: step})
	case "clear-faults":
		s.ClearFaults()
	case "revoke":
		s.RevokeTokens()
	case "clear-ledger":
		s.ClearLedger()
	default:
		err = cmp.Or(err, errors.New("the form has nothing to do"))
	}
	if err != nil {
		s.writePage(w, r, http.StatusBadRequest, err.Error())
		return
	}
	http.Redirect(w, r, "/_emulator/", http.StatusSeeOther)
}

func (s *service) serveFaults(w http.ResponseWriter, _ *http.Request) {
	jsonAnswer(http.StatusOK, "application/json", s.Faults()).write(w)
}

func (s *service) setFaults(w http.ResponseWriter, r *http.Request) {
	faults, err := readFaults(w, r)
	if err == nil {
		err = s.SetFaults(faults)
	}
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	s.serveFaults(w, r)
}

func readFaults(w http.ResponseWriter, r *http.Request) (Faults, error) {
	text, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	var sequences map[string]*string
	if err := json.Unmarshal(text, &sequences); err != nil {
		return nil, fmt.Errorf("the body must be an object of targets and sequences: %w", err)
	}
	faults := make(Faults, len(sequences))
	for to, sequence := range sequences {
		if sequence == nil {
			return nil, fmt.Errorf("the sequence of %q must not be null; an empty one clears it", to)
		}
		faults[to] = *sequence
	}
	return faults, nil
}
