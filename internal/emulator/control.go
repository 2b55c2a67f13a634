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
	"terraform-provider-notification/internal/emulator/webui"
)

// controlHandler serves requests to the emulator itself: at /, and below /_emulator/.
func (e *Emulator) controlHandler() http.HandlerFunc {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_emulator/health", e.serveHealth)
	mux.HandleFunc("GET /_emulator/ledger", e.serveLedger)
	mux.HandleFunc("DELETE /_emulator/ledger", done(e.ClearLedger))
	mux.HandleFunc("POST /_emulator/reset", done(e.Reset))
	mux.HandleFunc("GET /_emulator/faults", e.serveFaults)
	mux.HandleFunc("POST /_emulator/faults", e.setFaults)
	mux.HandleFunc("DELETE /_emulator/faults", done(e.ClearFaults))
	mux.HandleFunc("POST /_emulator/revoke", done(e.RevokeTokens))
	mux.HandleFunc("GET /_emulator/events", e.serveEvents)
	mux.Handle("GET /", webui.Handler())
	return func(w http.ResponseWriter, r *http.Request) {
		if !e.isAllowed(r.Host) {
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
func (e *Emulator) isAllowed(host string) bool {
	name := strings.ToLower((&url.URL{Host: host}).Hostname())
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	rooted := strings.TrimSuffix(name, ".")
	return !strings.Contains(name, ".") || strings.HasSuffix("."+rooted, ".localhost") ||
		slices.ContainsFunc(e.config.AllowedHosts, func(allowed string) bool {
			return strings.EqualFold(allowed, rooted)
		})
}

// serveHealth says that the emulator serves requests, which one it is, and since when.
func (e *Emulator) serveHealth(w http.ResponseWriter, _ *http.Request) {
	jsonResponse(http.StatusOK, "application/json", struct {
		Status  string    `json:"status"`
		Version string    `json:"version"`
		Started time.Time `json:"started"`
	}{"ok", e.config.Version, e.started}).write(w)
}

// serveLedger responds with the ledger, or with what a query asks for.
func (e *Emulator) serveLedger(w http.ResponseWriter, r *http.Request) {
	query, err := ledger.ParseQuery(r.URL.RawQuery)
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	e.mu.Lock()
	found := e.book.Ledger(query)
	e.mu.Unlock()
	jsonResponse(http.StatusOK, "application/json", found).write(w)
}

func (e *Emulator) serveFaults(w http.ResponseWriter, _ *http.Request) {
	jsonResponse(http.StatusOK, "application/json", e.Faults()).write(w)
}

func (e *Emulator) setFaults(w http.ResponseWriter, r *http.Request) {
	var faults Faults
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&faults)
	if err != nil {
		err = fmt.Errorf("the body must be an object of targets and sequences: %w", err)
	} else {
		err = e.SetFaults(faults)
	}
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	e.serveFaults(w, r)
}

// serveEvents sends an event without content at first and after each change (server-sent events, in
// the HTML standard), until the client goes or the emulator is closed.
func (e *Emulator) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	controller := http.NewResponseController(w)
	for {
		e.mu.Lock()
		change := e.changed
		e.mu.Unlock()
		if _, err := io.WriteString(w, "data:\n\n"); err != nil || controller.Flush() != nil {
			return
		}
		select {
		case <-change:
		case <-r.Context().Done():
			return
		case <-e.closed:
			return
		}
		if !e.wait(r.Context(), 200*time.Millisecond) { // each makes the page fetch the ledger
			return
		}
	}
}
