package settings

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
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

// pair returns the client certificate with its private key, text. If the certificate is invalid,
// which has been reported, it returns nil.
func (r *reader) pair(text string) (*tls.Certificate, error) {
	r.clientKey = text
	if block, _ := pem.Decode([]byte(text)); block == nil {
		return nil, errors.New("has no private key in PEM, -----BEGIN PRIVATE KEY-----")
	}
	if _, err := clientCertificate(r.clientCert); err == nil {
		pair, err := tls.X509KeyPair([]byte(r.clientCert), []byte(text))
		if err != nil {
			return nil, fmt.Errorf("is not the private key of client_cert_pem in PEM: %w", err)
		}
		return &pair, nil
	}
	return nil, nil
}

// checkPair reports a certificate without its key, or a key without its certificate.
func (r *reader) checkPair() {
	missing, given := "client_cert_pem", "client_key_pem"
	if r.clientKey == "" {
		missing, given = given, missing
	}
	if (r.clientCert == "") == (r.clientKey == "") || r.isUnknown(missing) {
		return
	}
	r.diags.AddAttributeError(path.Root(missing), "Missing provider setting "+missing,
		fmt.Sprintf("Set the attribute %s in the provider block or the environment variable %s: "+
			"mutual TLS needs it together with %s.",
			missing, setting{name: missing}.variable(), given))
}
