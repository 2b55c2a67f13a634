package settings

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// authorities returns the system's certificate authorities and those in text.
func authorities(text string) (*x509.CertPool, error) {
	if _, err := notPath(text); err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("cannot be added to the system's certificate authorities: %w", err)
	}
	if !pool.AppendCertsFromPEM(separateLines(text)) {
		return nil, errors.New("has no certificate in PEM that can be read. A certificate begins " +
			"with -----BEGIN CERTIFICATE----- at the start of a line, without spaces, quotes or a " +
			"byte order mark before it")
	}
	return pool, nil
}

// separateLines adds the line break that is missing if certificates were joined, as by
// `file(…)file(…)` or `cat`, and the first had none at its end.
func separateLines(text string) []byte {
	return []byte(strings.ReplaceAll(text, "----------BEGIN", "-----\n-----BEGIN"))
}

// notPath returns text, and an error if it is the path of a file with a certificate or a key.
func notPath(text string) (string, error) {
	trimmed := strings.ToLower(strings.TrimSpace(text))
	named := slices.Contains([]string{".pem", ".crt", ".cer", ".key"}, filepath.Ext(trimmed))
	if named && !strings.ContainsAny(trimmed, "\r\n") && !strings.Contains(trimmed, "-----") {
		return text, errors.New("is a path: use file(…), or $(cat …) in a shell")
	}
	return text, nil
}

// checkPair puts the client certificate and its private key together. It reports one without the
// other, and a pair that does not fit.
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
	_, certErr := notPath(r.clientCert)
	_, keyErr := notPath(r.clientKey)
	if r.clientCert == "" || certErr != nil || keyErr != nil {
		return // the errors have been reported
	}
	pair, err := tls.X509KeyPair(separateLines(r.clientCert), []byte(r.clientKey))
	if err != nil {
		name, other, text := "client_key_pem", "client_cert_pem", err.Error()
		if strings.Contains(text, "certificate input") || strings.HasPrefix(text, "x509: ") {
			name, other = other, name
		}
		r.invalid(name, fmt.Errorf("cannot be used with %s: %w", other, err))
		return
	}
	r.config.Certificate = &pair
}
