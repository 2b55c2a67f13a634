package emulator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
)

// serveLedger answers with the ledger, or with the notifications that a query asks for.
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
	s.mu.Lock()
	selection := s.book.Select(query)
	s.mu.Unlock()
	jsonAnswer(http.StatusOK, "application/json", selection).write(w)
}

// serveNotification answers with one notification of the ledger, indented for people.
func (s *service) serveNotification(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	s.mu.Lock()
	found := s.book.Select(ledger.Query{"notification_id": id}).Submissions
	s.mu.Unlock()
	if len(found) == 0 {
		problem(http.StatusNotFound, "the ledger has no notification "+id).write(w)
		return
	}
	var text bytes.Buffer
	_ = json.Indent(&text, jsonAnswer(http.StatusOK, "", found[0]).body, "", "  ") // is JSON
	newAnswer(http.StatusOK, "application/json", text.Bytes()).write(w)
}

// serveWait answers when that many notifications were accepted, or when the time is over.
func (s *service) serveWait(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	wanted, err := strconv.Atoi(query.Get("notifications"))
	if err != nil || wanted < 0 {
		problem(http.StatusBadRequest, "notifications must be a whole number, 0 or more").write(w)
		return
	}
	timeout, err := time.ParseDuration(cmp.Or(query.Get("timeout"), "10s"))
	if err != nil {
		problem(http.StatusBadRequest, "timeout must be a duration such as 30s").write(w)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	for {
		s.mu.Lock()
		arrived, changed := s.book.Counts.Notifications, s.changed
		s.mu.Unlock()
		if arrived >= wanted {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		select {
		case <-changed:
			continue
		case <-ctx.Done():
		case <-s.closed:
		}
		problem(http.StatusConflict,
			fmt.Sprintf("%d of %d notifications arrived", arrived, wanted)).write(w)
		return
	}
}
