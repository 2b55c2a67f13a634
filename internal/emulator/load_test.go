package emulator

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"
)

// counter takes an answer, and keeps only how long it is.
type counter struct {
	header http.Header
	bytes  int
}

func (c *counter) Header() http.Header         { return c.header }
func (c *counter) WriteHeader(int)             {}
func (c *counter) Write(b []byte) (int, error) { c.bytes += len(b); return len(b), nil }

// BenchmarkHundredThousand submits 100,000 notifications and then looks at them: the memory that is
// in use meanwhile, and how long the page and the ledger take.
func BenchmarkHundredThousand(b *testing.B) {
	e, err := New(Config{ClientID: testID, ClientSecret: testSecret})
	if err != nil {
		b.Fatal(err)
	}
	token := e.issue([]string{scopeWrite}, 0)
	var most uint64
	watch := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys-m.HeapReleased)
	}
	for b.Loop() {
		for i := range 100_000 {
			body := fmt.Appendf(nil, `{"channels":[{"type":"slack","recipient":["C024BE91L"],`+
				`"subject":"checkout %d is live","template_id":"deployment",`+
				`"fields":{"service":"checkout","version":"%d"}}],"priority":"HIGH"}`, i, i)
			r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, submissionPath,
				bytes.NewReader(body))
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("User-Agent", "terraform-provider-notification/dev terraform/1.11.4")
			e.ServeHTTP(&counter{header: make(http.Header)}, r)
			if i%1000 == 0 {
				watch()
			}
		}
	}
	for name, path := range map[string]string{
		"page": "/", "search": "/?q=nothing+has+this", "ledger": "/_emulator/ledger",
	} {
		began := time.Now()
		e.ServeHTTP(&counter{header: make(http.Header)},
			httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://localhost"+path, nil))
		b.ReportMetric(float64(time.Since(began).Milliseconds()), name+"-ms")
		watch()
	}
	b.ReportMetric(float64(most)/(1<<20), "MiB")
	b.ReportMetric(float64(len(e.book.Records)), "kept")
	if e.book.Counts.Notifications%100_000 != 0 {
		b.Errorf("%d notifications", e.book.Counts.Notifications)
	}
}
