package emulator

import (
	"encoding/json"
	"net/http"
)

const (
	// defaultLedgerLimit is enough for some 25,000 notifications.
	defaultLedgerLimit = 64 << 20
	// memoryPerByte is about what a byte of the ledger as JSON takes of memory.
	memoryPerByte = 3
)

// record is one request as it is kept.
type record struct {
	Request
	Number     int         // counts the requests, from 1
	Submission *Submission // nil: no notification was accepted; not changed once it is set
	Size       int         // in bytes, as JSON; 0 until the request is concluded
	dropped    bool
}

// book is the ledger as it is kept. The emulator's lock guards it.
type book struct {
	counts        map[target]int
	notifications int
	rejected      int // requests to any endpoint that were rejected or got no answer
	tokensIssued  int
	connections   int
	addresses     map[string]bool // of clients, where the server does not tell connections apart
	records       []*record       // in order of arrival
	entered       int             // records so far, dropped ones included
	size          int             // of all records, in memory
}

func newBook() *book {
	return &book{counts: make(map[target]int), addresses: make(map[string]bool)}
}

func (b *book) enter(added *record, r *http.Request) {
	b.entered++
	added.Number = b.entered
	b.counts[target(added.Target)]++
	b.records = append(b.records, added)
	switch c, ok := r.Context().Value(connectionKey{}).(*connection); {
	case ok && c.counted != b:
		c.counted = b
		b.connections++
	case !ok && !b.addresses[r.RemoteAddr]:
		b.addresses[r.RemoteAddr] = true
		b.connections++
	}
}

// weigh counts the size of a record that is complete, and drops the oldest ones beyond the limit,
// in bytes.
func (b *book) weigh(complete *record, limit int) {
	if complete.dropped {
		return
	}
	b.size -= memoryPerByte * complete.Size
	request, _ := json.Marshal(complete.Request) // of such members never fails
	complete.Size = len(request)
	if complete.Submission != nil {
		submission, _ := json.Marshal(complete.Submission) // as above: the body is JSON
		complete.Size += len(submission)
	}
	b.size += memoryPerByte * complete.Size
	for b.size > limit {
		oldest := b.records[0]
		oldest.dropped = true
		b.size -= memoryPerByte * oldest.Size
		b.records[0] = nil
		b.records = b.records[1:]
	}
}
