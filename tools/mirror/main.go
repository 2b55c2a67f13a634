// Command mirror serves a folder over HTTPS, as a network mirror of providers, while a command
// runs:
//
//	mirror FOLDER COMMAND [ARGUMENT...]
//
// The command finds the address in MIRROR_URL, and trusts the server by SSL_CERT_FILE. The
// certificate is that of httptest, for 127.0.0.1.
package main

import (
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: mirror FOLDER COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	err := run(os.Args[1], os.Args[2:])
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ended:
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, "mirror:", err)
		os.Exit(1)
	}
}

func run(folder string, command []string) error {
	work, err := os.MkdirTemp("", "mirror")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()

	server := httptest.NewTLSServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	certificate := filepath.Join(work, "certificate.pem")
	block := pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	if err := os.WriteFile(certificate, pem.EncodeToMemory(&block), 0o600); err != nil {
		return err
	}

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "MIRROR_URL="+server.URL+"/", "SSL_CERT_FILE="+certificate)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
