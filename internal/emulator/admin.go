package emulator

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/page"
)

// admin answers what is asked of the emulator itself: at /, and below /_emulator/.
func (s *service) admin() http.HandlerFunc {
	done := func(do func()) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			do()
			w.WriteHeader(http.StatusNoContent)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.servePage)
	mux.HandleFunc("GET /_emulator/{$}", s.servePage)
	mux.Handle("GET /_emulator/page/",
		http.StripPrefix("/_emulator/page/", http.FileServerFS(page.Assets)))
	mux.HandleFunc("GET /_emulator/events", func(w http.ResponseWriter, r *http.Request) {
		page.ServeEvents(w, r, s.nextChange, s.closed)
	})
	mux.HandleFunc("GET /_emulator/ledger", func(w http.ResponseWriter, _ *http.Request) {
		jsonAnswer(http.StatusOK, "application/json", s.Ledger()).write(w)
	})
	mux.HandleFunc("DELETE /_emulator/ledger", done(s.ClearLedger))
	mux.HandleFunc("GET /_emulator/wait", s.serveWait)
	mux.HandleFunc("GET /_emulator/faults", s.serveFaults)
	mux.HandleFunc("POST /_emulator/faults", s.serveFaults)
	mux.HandleFunc("DELETE /_emulator/faults", done(s.ClearFaults))
	mux.HandleFunc("POST /_emulator/revoke", done(s.RevokeTokens))
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", page.ContentSecurityPolicy)
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		if !isLocal(r.Host) {
			problem(http.StatusForbidden, "the emulator is only available under localhost, an address, "+
				"or a name without a dot").write(w)
			return
		}
		mux.ServeHTTP(w, r)
	}
}

// isLocal says whether a Host header is one that no page of another site can have: such a page
// reaches the emulator only under the name of its own site, if that is made to lead here (DNS
// rebinding). Names without a dot are those of container networks.
func isLocal(host string) bool {
	name := strings.ToLower((&url.URL{Host: host}).Hostname())
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return !strings.Contains(name, ".") || strings.HasSuffix(name, ".localhost")
}

func (s *service) servePage(w http.ResponseWriter, r *http.Request) {
	v := page.NewView(r)
	v.ClientID = s.config.ClientID
	v.NotificationsPath = strings.TrimPrefix(s.config.NotificationsPath, "/")
	if len(s.config.Systems) > 0 {
		v.System = s.config.Systems[0]
	}
	s.mu.Lock()
	v.Faults, v.Valid = s.faults.Faults(), s.tokens.valid(s.now())
	v.List(s.book)
	s.mu.Unlock()
	v.Write(w)
}

func (s *service) serveFaults(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		faults, err := readFaults(w, r)
		if err == nil {
			err = s.SetFaults(faults)
		}
		if err != nil {
			problem(http.StatusBadRequest, err.Error()).write(w)
			return
		}
	}
	jsonAnswer(http.StatusOK, "application/json", s.Faults()).write(w)
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
