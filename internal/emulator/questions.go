package emulator

import (
	"context"
	"net/http"

	"terraform-provider-notification/internal/emulator/ledger"
)

// serveLedger answers with the ledger; or with what a query asks for, at once or when so many of it
// have arrived.
func (s *service) serveLedger(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery == "" {
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
	for {
		s.mu.Lock()
		selection, changed := s.book.Select(query), s.changed
		s.mu.Unlock()
		status := http.StatusOK
		if selection.Count < query.AtLeast {
			select {
			case <-changed:
				continue
			case <-ctx.Done():
			case <-s.closed:
			}
			status = http.StatusConflict // curl repeats a 408 by itself
		}
		jsonAnswer(status, "application/json", selection).write(w)
		return
	}
}
