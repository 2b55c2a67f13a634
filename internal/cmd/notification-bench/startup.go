package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// startUp returns how long a provider takes from its start to its answer to
// GetProviderSchema, which is the first thing that Terraform asks. dir gets its
// socket.
func startUp(ctx context.Context, binary, dir string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	provider := exec.CommandContext(ctx, binary)
	provider.Env = environment(
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2", // that of every provider
		"PLUGIN_PROTOCOL_VERSIONS=6", "PLUGIN_UNIX_SOCKET_DIR="+dir)
	stdout, err := provider.StdoutPipe()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := provider.Start(); err != nil {
		return 0, err
	}
	took, err := askSchema(ctx, stdout, began)
	cancel() // it would wait for requests for ever
	_ = provider.Wait()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", binary, err)
	}
	return took, nil
}

func askSchema(ctx context.Context, stdout io.Reader, began time.Time) (time.Duration, error) {
	handshake, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return 0, err
	}
	fields := strings.Split(strings.TrimSpace(handshake), "|")
	if len(fields) < 5 {
		return 0, fmt.Errorf("the handshake is %q", handshake)
	}
	network, address := fields[2], fields[3]

	// A unary call of gRPC is a POST over HTTP/2. Its message, which is empty
	// here, has a prefix of five bytes.
	transport := &http.Transport{
		Protocols: new(http.Protocols),
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://provider/tfplugin6.Provider/GetProviderSchema", bytes.NewReader(make([]byte, 5)))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/grpc")
	req.Header.Set("TE", "trailers")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }() // of an answer that was read
	message, err := io.ReadAll(resp.Body)
	took := time.Since(began)
	switch {
	case err != nil:
		return 0, err
	case resp.Trailer.Get("Grpc-Status") != "0":
		return 0, fmt.Errorf("GetProviderSchema ended with status %q: %s", resp.Trailer.Get("Grpc-Status"), resp.Trailer.Get("Grpc-Message"))
	case len(message) <= 5: // the prefix
		return 0, errors.New("GetProviderSchema returned no schema")
	}
	return took, nil
}
