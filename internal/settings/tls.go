package settings

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// authorities returns the system's certificate authorities and those in text.
func authorities(text string) (*x509.CertPool, error) {
	certificates, err := parseCertificates(separateLines(text))
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("cannot be added to the system's certificate authorities: %w", err)
	}
	for _, certificate := range certificates {
		pool.AddCert(certificate)
	}
	return pool, nil
}

// separateLines adds the line break that is missing if `cat` joined certificates and the first had
// none at its end.
func separateLines(text string) string {
	return strings.ReplaceAll(text, "----------BEGIN", "-----\n-----BEGIN")
}

// parseCertificates is stricter than x509.CertPool and encoding/pem, which skip invalid blocks.
func parseCertificates(text string) ([]*x509.Certificate, error) {
	const complete = "Each must be complete, and begin with -----BEGIN CERTIFICATE----- at the " +
		"start of a line, without spaces, quotes or a byte order mark before it"
	if err := notPath(text); err != nil {
		return nil, err
	}
	blocks := max(strings.Count(text, "-----BEGIN"), strings.Count(text, "-----END"))
	rest := []byte(text)
	var certificates []*x509.Certificate
	for {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf(
				"must contain certificates only; block %d is a %s", len(certificates)+1, block.Type,
			)
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf(
				"contains a certificate that cannot be read, block %d: %w", len(certificates)+1, err,
			)
		}
		certificates = append(certificates, certificate)
	}
	switch {
	case len(certificates) == 0:
		return nil, errors.New("has no certificate in PEM that can be read. " + complete)
	case len(certificates) < blocks:
		return nil, fmt.Errorf("has %d blocks that begin a certificate, but only %d can be read. %s",
			blocks, len(certificates), complete)
	}
	return certificates, nil
}

// clientCertificate checks that text holds certificates, and returns it.
func clientCertificate(text string) (string, error) {
	text = separateLines(text)
	_, err := parseCertificates(text)
	return text, err
}

// privateKey checks that text holds a block in PEM, and returns it.
func privateKey(text string) (string, error) {
	if err := notPath(text); err != nil {
		return text, err
	}
	if block, _ := pem.Decode([]byte(text)); block == nil {
		return text, errors.New("has no private key in PEM, -----BEGIN PRIVATE KEY-----")
	}
	return text, nil
}

// notPath returns an error for the path of a file with a certificate or a key.
func notPath(text string) error {
	text = strings.ToLower(strings.TrimSpace(text))
	named := slices.Contains([]string{".pem", ".crt", ".cer", ".key"}, filepath.Ext(text))
	if named && !strings.ContainsAny(text, "\r\n") && !strings.Contains(text, "-----") {
		return errors.New("is a path: use file(…), or $(cat …) in a shell")
	}
	return nil
}

// checkPair puts the client certificate and its private key together. It reports one without the
// other, and a key of another certificate.
func (r *reader) checkPair() {
	missing, given := "client_cert_pem", "client_key_pem"
	if r.clientKey == "" {
		missing, given = given, missing
	}
	if (r.clientCert == "") != (r.clientKey == "") {
		if !r.isUnknown(missing) {
			r.diags.AddAttributeError(path.Root(missing), "Missing provider setting "+missing,
				fmt.Sprintf("Set the attribute %s in the provider block or the environment variable "+
					"%s: mutual TLS needs it together with %s.", missing, variable(missing), given))
		}
		return
	}
	_, certErr := clientCertificate(r.clientCert)
	_, keyErr := privateKey(r.clientKey)
	if certErr != nil || keyErr != nil {
		return // both are unset, or the error has been reported
	}
	pair, err := tls.X509KeyPair([]byte(r.clientCert), []byte(r.clientKey))
	if err != nil {
		r.invalid("client_key_pem",
			fmt.Errorf("is not the private key of client_cert_pem in PEM: %w", err))
		return
	}
	r.config.Certificate = &pair
}
