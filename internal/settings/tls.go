package settings

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// authorities returns the system's certificate authorities and those in the value; nil, which means
// the system's, without a value.
func (r *reader) authorities(attribute string, value types.String) *x509.CertPool {
	text, ok := r.text(attribute, value)
	if !ok {
		return nil
	}
	certificates, err := parseCertificates([]byte(text))
	if err != nil {
		r.invalid(attribute, "%s", err)
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		r.invalid(attribute, "cannot be added to the system's certificate authorities: %s", err)
		return nil
	}
	for _, certificate := range certificates {
		pool.AddCert(certificate)
	}
	return pool
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
				"must hold certificates only; block %d is a %s", len(certificates)+1, block.Type,
			)
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf(
				"holds a certificate that cannot be read, block %d: %w", len(certificates)+1, err,
			)
		}
		certificates = append(certificates, certificate)
	}
	if len(certificates) == 0 {
		return nil, errors.New("holds no certificate in PEM, -----BEGIN CERTIFICATE-----")
	}
	if bytes.Contains(text, []byte("-----BEGIN")) {
		return nil, fmt.Errorf(
			"holds a block after certificate %d that is not complete", len(certificates),
		)
	}
	return certificates, nil
}

// certificate returns the pair for mutual TLS; nil without values.
func (r *reader) certificate(
	certAttribute string, certValue types.String, keyAttribute string, keyValue types.String,
) *tls.Certificate {
	cert, haveCert := r.text(certAttribute, certValue)
	key, haveKey := r.text(keyAttribute, keyValue)
	usable := true
	if haveCert {
		if _, err := parseCertificates([]byte(cert)); err != nil {
			r.invalid(certAttribute, "%s", err)
			usable = false
		}
	}
	if block, _ := pem.Decode([]byte(key)); haveKey && block == nil {
		r.invalid(keyAttribute, "holds no private key in PEM, -----BEGIN PRIVATE KEY-----")
		usable = false
	}
	switch {
	case certValue.IsUnknown() || keyValue.IsUnknown() || !haveCert && !haveKey:
		return nil
	case !haveCert:
		r.missing(certAttribute, ": mutual TLS needs it together with "+keyAttribute)
		return nil
	case !haveKey:
		r.missing(keyAttribute, ": mutual TLS needs it together with "+certAttribute)
		return nil
	case !usable:
		return nil
	}
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		r.invalid(keyAttribute, "is not the private key of %s in PEM: %s", certAttribute, err)
		return nil
	}
	return &pair
}
