package emulator

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"time"
)

//go:embed webui
var webUI embed.FS

// contentSecurityPolicy allows the files and requests of the web UI, and nothing else.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// controlHandler serves requests to the emulator itself, at / and below /_emulator/.
func (e *Emulator) controlHandler() http.HandlerFunc {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_emulator/health", e.serveHealth)
	mux.HandleFunc("GET /_emulator/ledger", e.serveLedger)
	mux.HandleFunc("DELETE /_emulator/ledger", noContent(e.ClearLedger))
	mux.HandleFunc("POST /_emulator/reset", noContent(e.reset))
	mux.HandleFunc("GET /_emulator/faults", e.serveFaults)
	mux.HandleFunc("POST /_emulator/faults", e.setFaults)
	mux.HandleFunc("DELETE /_emulator/faults", noContent(func() {
		e.update(func() { clear(e.faults) })
	}))
	mux.HandleFunc("GET /_emulator/events", e.serveEvents)
	files, _ := fs.Sub(webUI, "webui") // cannot fail: the folder is embedded
	mux.Handle("GET /{$}", http.FileServerFS(files))
	mux.Handle("GET /_emulator/", http.StripPrefix("/_emulator", http.FileServerFS(files)))
	mux.Handle("GET /favicon.ico", http.RedirectHandler("/_emulator/icon.svg", http.StatusFound))
	return func(w http.ResponseWriter, r *http.Request) {
		if !isOwnHost(r.Host) {
			problem(http.StatusForbidden, "the emulator is only available at localhost, an IP address, "+
				"a name without a dot, or one in .internal, .local, .svc or .test").write(w)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Security-Policy", contentSecurityPolicy)
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	}
}

func noContent(do func()) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		do()
		w.WriteHeader(http.StatusNoContent)
	}
}

// ownName matches the host names that no site on the internet has: those without a dot, as in
// container networks, and those in domains that are not delegated.
var ownName = regexp.MustCompile(`(?i)^([^.]*|(.+\.)?(localhost|internal|local|svc|test)\.?)$`)

// isOwnHost reports whether a request with this Host header cannot come from a web page of another
// site. By DNS rebinding, such a page reaches the emulator under the name of its own site.
func isOwnHost(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	_, err := netip.ParseAddr(name)
	return err == nil || ownName.MatchString(name)
}

func (e *Emulator) serveHealth(w http.ResponseWriter, _ *http.Request) {
	jsonResponse(http.StatusOK, map[string]any{
		"status": "ok", "version": e.config.Version, "started": e.started,
	}).write(w)
}

func (e *Emulator) serveLedger(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "" {
		problem(http.StatusBadRequest, "the ledger takes no query parameters: request all of it, and "+
			"filter it, for example with jq").write(w)
		return
	}
	jsonResponse(http.StatusOK, e.Ledger()).write(w)
}

func (e *Emulator) serveFaults(w http.ResponseWriter, _ *http.Request) {
	jsonResponse(http.StatusOK, e.Faults()).write(w)
}

func (e *Emulator) setFaults(w http.ResponseWriter, r *http.Request) {
	var sequences map[string]*string // in a string, null would be an empty sequence
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(body, &sequences)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("the body must be an object of targets and sequences: %w", err)
	case sequences == nil || slices.Contains(slices.Collect(maps.Values(sequences)), nil):
		err = errors.New("neither the body nor a sequence in it may be null")
	default:
		faults := make(Faults)
		for target, sequence := range sequences {
			faults[target] = *sequence
		}
		err = e.SetFaults(faults)
	}
	if err != nil {
		problem(http.StatusBadRequest, err.Error()).write(w)
		return
	}
	e.serveFaults(w, r)
}

// serveEvents sends an empty event at once and after each change (server-sent events, in the HTML
// standard), until the client disconnects or the emulator is closed.
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
		e.wait(r.Context(), 200*time.Millisecond) // on each event the web UI fetches the ledger
	}
}
