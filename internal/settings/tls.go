package settings

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// authorities returns the system's certificate authorities and those in text.
func authorities(text string) (*x509.CertPool, error) {
	certificates, err := parseCertificates([]byte(text))
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

// parseCertificates is stricter than x509.CertPool, which skips what it cannot read.
func parseCertificates(text []byte) ([]*x509.Certificate, error) {
	var certificates []*x509.Certificate
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		text = rest
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
	if len(certificates) == 0 {
		return nil, errors.New("has no certificate in PEM, -----BEGIN CERTIFICATE-----")
	}
	if bytes.Contains(text, []byte("-----BEGIN")) {
		return nil, fmt.Errorf(
			"contains a block after certificate %d that is not complete", len(certificates),
		)
	}
	return certificates, nil
}

// clientCertificate returns text, which holds certificates.
func clientCertificate(text string) (string, error) {
	_, err := parseCertificates([]byte(text))
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
