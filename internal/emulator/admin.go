package emulator

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/page"
)

// questions are the patterns of requests that may have parameters, and check them.
var questions = []string{"/", "GET /_emulator/ledger"}

// admin answers what is asked of the emulator itself: at /, and below /_emulator/.
func (s *service) admin() http.HandlerFunc {
	mux := http.NewServeMux()
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /_emulator/events":    s.serveEvents,
		"GET /_emulator/health":    s.serveHealth,
		"GET /_emulator/ledger":    s.serveLedger,
		"DELETE /_emulator/ledger": done(s.ClearLedger),
		"POST /_emulator/reset":    done(s.Reset),
		"GET /_emulator/faults":    s.serveFaults,
		"POST /_emulator/faults":   s.setFaults,
		"DELETE /_emulator/faults": done(s.ClearFaults),
		"POST /_emulator/revoke":   done(s.RevokeTokens),
	} {
		mux.HandleFunc(pattern, handle)
	}
	mux.Handle("/", page.Handler())
	return func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		handler, pattern := mux.Handler(r)
		switch {
		case !s.isAllowed(r.Host):
			problem(http.StatusForbidden, "the emulator is only available under localhost, an address, "+
				"a name without a dot, or one that -allow-host names").write(w)
		case pattern == "":
			refusal := refusal{header: header}
			handler.ServeHTTP(&refusal, r)
			if refusal.status < http.StatusBadRequest { // the path is not a clean one
				w.WriteHeader(refusal.status)
				return
			}
			problem(refusal.status, fmt.Sprintf("there is no %s %s", r.Method, r.URL.EscapedPath())).write(w)
		case r.URL.RawQuery != "" && !slices.Contains(questions, pattern):
			problem(http.StatusBadRequest, r.URL.Path+" takes no parameters").write(w)
		default:
			mux.ServeHTTP(w, r)
		}
	}
}

// refusal takes what a ServeMux answers to a request for which it has no handler, without the text.
type refusal struct {
	header http.Header
	status int
}

func (r *refusal) Header() http.Header            { return r.header }
func (r *refusal) WriteHeader(status int)         { r.status = status }
func (r *refusal) Write(text []byte) (int, error) { return len(text), nil }

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
	jsonAnswer(http.StatusOK, "application/json", struct {
		Status  string    `json:"status"`
		Version string    `json:"version"`
		Started time.Time `json:"started"`
	}{"ok", s.config.Version, s.started}).write(w)
}
