package emulator

import (
	"context"
	"net/http"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
)

// askPause is the shortest time between two looks at the ledger for the same question.
const askPause = 50 * time.Millisecond

// serveLedger answers with the ledger; or with what a query asks for, at once or when so many of it
// have arrived.
func (s *service) serveLedger(w http.ResponseWriter, r *http.Request) {
	if strings.Trim(r.URL.RawQuery, "&") == "" {
		jsonAnswer(http.StatusOK, "application/json", s.Ledger()).write(w)
		return
	}
	query, err := ledger.ParseQuery(r.URL.RawQuery)
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), query.Wait)
	defer cancel()
	for ended := false; ; {
		s.mu.Lock()
		selection, enough := s.book.Select(query, ended)
		changed := s.changed
		s.mu.Unlock()
		next := time.Now().Add(askPause)
		if enough || ended {
			status := http.StatusOK
			if !enough {
				status = http.StatusConflict // curl repeats a 408 by itself
			}
			jsonAnswer(status, "application/json", selection).write(w)
			return
		}
		select {
		case <-changed:
			s.wait(ctx, time.Until(next))
		case <-ctx.Done():
			ended = true
		case <-s.closed:
			ended = true
		}
	}
}
