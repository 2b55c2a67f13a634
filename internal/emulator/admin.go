package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
)

// administer answers what is asked of the emulator itself, below /_emulator/.
func (e *Emulator) administer(w http.ResponseWriter, r *http.Request) {
	a := e.administration(r)
	writeHeader(w, a)
	_, _ = w.Write(a.body) // fails when nobody is there to be told
}

func (e *Emulator) administration(r *http.Request) answer {
	done := newAnswer(http.StatusNoContent, "", nil)
	switch route := r.Method + " " + r.URL.Path; route {
	case "GET /_emulator/ledger":
		return plainJSON(e.Ledger())
	case "DELETE /_emulator/ledger":
		e.ClearLedger()
		return done
	case "POST /_emulator/revoke":
		e.RevokeTokens()
		return done
	case "GET /_emulator/faults":
		return plainJSON(e.Faults())
	case "POST /_emulator/faults":
		faults, err := readFaults(r.Body)
		if err == nil {
			err = e.SetFaults(faults)
		}
		if err != nil {
			return problem(http.StatusBadRequest, err.Error())
		}
		return plainJSON(e.Faults())
	}
	switch r.URL.Path {
	case "/_emulator/ledger":
		return methodNotAllowed("GET, DELETE")
	case "/_emulator/revoke":
		return methodNotAllowed("POST")
	case "/_emulator/faults":
		return methodNotAllowed("GET, POST")
	}
	return problem(http.StatusNotFound, "the emulator has /_emulator/ledger, /_emulator/faults and /_emulator/revoke")
}

func readFaults(body io.Reader) (Faults, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxBody))
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

// plainJSON leaves <, > and & as they are, so that bodies in the ledger look as
// they were sent.
func plainJSON(value any) answer {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return problem(http.StatusInternalServerError, err.Error())
	}
	return newAnswer(http.StatusOK, "application/json", body.Bytes())
}

// writeHeader sends the status and the header, with the Content-Length of the
// whole body.
func writeHeader(w http.ResponseWriter, a answer) {
	header := w.Header()
	maps.Copy(header, a.header)
	if bodyAllowed(a.status) {
		header.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
}
