package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/page"
)

// eventPause is the shortest time between two events: each makes the page fetch the ledger.
const eventPause = 200 * time.Millisecond

// admin serves requests to the emulator itself: at /, and below /_emulator/.
func (s *service) admin() http.HandlerFunc {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_emulator/health", s.serveHealth)
	mux.HandleFunc("GET /_emulator/ledger", s.serveLedger)
	mux.HandleFunc("DELETE /_emulator/ledger", done(s.ClearLedger))
	mux.HandleFunc("POST /_emulator/reset", done(s.Reset))
	mux.HandleFunc("GET /_emulator/faults", s.serveFaults)
	mux.HandleFunc("POST /_emulator/faults", s.setFaults)
	mux.HandleFunc("DELETE /_emulator/faults", done(s.ClearFaults))
	mux.HandleFunc("POST /_emulator/revoke", done(s.RevokeTokens))
	mux.HandleFunc("GET /_emulator/events", s.serveEvents)
	mux.Handle("GET /", page.Handler())
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.isAllowed(r.Host) {
			problem(http.StatusForbidden, "the emulator is only available under localhost, an address, "+
				"a name without a dot, or one that -allow-host names").write(w)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	}
}

func done(do func()) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		do()
		w.WriteHeader(http.StatusNoContent)
	}
}

// isAllowed says whether a Host header is one that no page of another site can have: such a page
// reaches the emulator only under the name of its own site, if that is made to lead here (DNS
// rebinding). Names without a dot are those of container networks.
func (s *service) isAllowed(host string) bool {
	name := strings.ToLower((&url.URL{Host: host}).Hostname())
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	rooted := strings.TrimSuffix(name, ".")
	return !strings.Contains(name, ".") || strings.HasSuffix("."+rooted, ".localhost") ||
		slices.ContainsFunc(s.config.AllowedHosts, func(allowed string) bool {
			return strings.EqualFold(allowed, rooted)
		})
}

// serveHealth says that the emulator serves requests, which one it is, and since when.
func (s *service) serveHealth(w http.ResponseWriter, _ *http.Request) {
	jsonResponse(http.StatusOK, "application/json", struct {
		Status  string    `json:"status"`
		Version string    `json:"version"`
		Started time.Time `json:"started"`
	}{"ok", s.config.Version, s.started}).write(w)
}

// serveLedger responds with the ledger, or with what a query asks for.
func (s *service) serveLedger(w http.ResponseWriter, r *http.Request) {
	query, err := ledger.ParseQuery(r.URL.RawQuery)
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	s.mu.Lock()
	found := s.book.Ledger(query)
	s.mu.Unlock()
	jsonResponse(http.StatusOK, "application/json", found).write(w)
}

func (s *service) serveFaults(w http.ResponseWriter, _ *http.Request) {
	jsonResponse(http.StatusOK, "application/json", s.Faults()).write(w)
}

func (s *service) setFaults(w http.ResponseWriter, r *http.Request) {
	text, err := readBody(w, r)
	var faults Faults
	if err == nil {
		err = json.Unmarshal(text, &faults)
	}
	if err != nil {
		err = fmt.Errorf("the body must be an object of targets and sequences: %w", err)
	} else {
		err = s.SetFaults(faults)
	}
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	s.serveFaults(w, r)
}

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
