package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// service is the emulator, in this process: counted is what Terraform and its children need.
type service struct {
	*emulator.Emulator

	env  []string // leads Terraform and what it starts there
	stop func()
}

// startService serves n studies of five members, all of one name, and the same beside the
// service to whoever has no token.
func startService(n int) (*service, error) {
	catalogue := make([]json.RawMessage, n)
	for i := range catalogue {
		catalogue[i] = fmt.Appendf(nil,
			`{"id":%d,"name":"ATLAS","phase":"III","open":%t,"site":"Hospital %05d"}`, i, i%2 == 0, i)
	}
	config := emulator.Config{
		ClientID: "bench", ClientSecret: "of the benchmark", TokenLifetime: time.Hour,
		Studies: catalogue,
	}
	e, err := emulator.New(config)
	plain, invalid := json.Marshal(catalogue)
	if err = errors.Join(err, invalid); err != nil {
		return nil, err
	}
	server := httptest.NewUnstartedServer(nil)
	server.Config = e.NewServer()
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/studies.json" {
			_, _ = w.Write(plain) // fails when Terraform has gone
			return
		}
		e.ServeHTTP(w, r)
	})
	server.Start()
	return &service{e, []string{
		"NOTIFICATION_AUTH_URL=" + server.URL, "NOTIFICATION_BASE_URL=" + server.URL,
		"NOTIFICATION_EMULATOR_URL=" + server.URL, "NOTIFICATION_CLIENT_ID=" + config.ClientID,
		"NOTIFICATION_CLIENT_SECRET=" + config.ClientSecret, "TF_VAR_url=" + server.URL + "/studies.json",
	}, func() { e.Close(); server.Close() }}, nil
}
