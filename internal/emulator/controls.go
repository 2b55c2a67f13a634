package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// eventPause is the shortest time between two events: each makes the page load itself.
const eventPause = 200 * time.Millisecond

// serveEvents sends an event without content at first and after each change (server-sent events, in
// the HTML standard), until the client goes or the emulator is closed.
func (s *service) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	controller := http.NewResponseController(w)
	for {
		change := s.nextChange()
		if _, err := io.WriteString(w, "data:\n\n"); err != nil || controller.Flush() != nil {
			return
		}
		select {
		case <-change:
		case <-r.Context().Done():
			return
		case <-s.closed:
			return
		}
		if !s.wait(r.Context(), eventPause) {
			return
		}
	}
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
