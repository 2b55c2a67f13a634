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

// separateLines mends what `cat` makes of certificates where the first lacks its last line break.
func separateLines(text string) string {
	return strings.ReplaceAll(text, "----------BEGIN", "-----\n-----BEGIN")
}

// parseCertificates is stricter than x509.CertPool and encoding/pem, which skip what they cannot
// read.
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

// clientCertificate returns text, which holds certificates.
func clientCertificate(text string) (string, error) {
	text = separateLines(text)
	_, err := parseCertificates(text)
	return text, err
}

// pair is the client's certificate and the private key in text. What is wrong with the certificate
// itself has been reported.
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

// checkHalves reports the half of the pair that is missing.
func (r *reader) checkHalves() {
	missing, given := "client_cert_pem", "client_key_pem"
	if r.clientKey == "" {
		missing, given = given, missing
	}
	if (r.clientCert == "") == (r.clientKey == "") || r.isUnknown(missing) {
		return
	}
	r.wrong.AddAttributeError(path.Root(missing), "Missing provider setting "+missing,
		fmt.Sprintf("Set the attribute %s in the provider block or the environment variable %s: "+
			"mutual TLS needs it together with %s.",
			missing, setting{name: missing}.variable(), given))
}
