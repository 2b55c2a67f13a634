// Package webui serves the emulator's web UI: static files that show the ledger.
package webui

import (
	"embed"
	"net/http"
)

// contentSecurityPolicy allows the files and requests of the web UI, and nothing else.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed index.html script.js style.css icon.svg
var files embed.FS

// Handler serves the web UI at / and /_emulator/, and the files that it loads.
func Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, name := range map[string]string{
		"GET /{$}":                       "index.html",
		"GET /_emulator/{$}":             "index.html",
		"GET /favicon.ico":               "icon.svg",
		"GET /_emulator/webui/icon.svg":  "icon.svg",
		"GET /_emulator/webui/script.js": "script.js",
		"GET /_emulator/webui/style.css": "style.css",
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", contentSecurityPolicy)
			w.Header().Set("Referrer-Policy", "no-referrer")
			http.ServeFileFS(w, r, files, name)
		})
	}
	return mux
}
