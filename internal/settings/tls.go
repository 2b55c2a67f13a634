package settings

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// authorities returns the system's certificate authorities and those in text.
func authorities(text string) (*x509.CertPool, error) {
	text, err := pemText(text)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("cannot be added to the system's certificate authorities, which "+
			"cannot be read (check SSL_CERT_FILE and SSL_CERT_DIR): %w", err)
	}
	if !pool.AppendCertsFromPEM([]byte(text)) {
		return nil, fmt.Errorf("has no certificate in PEM that can be read%s", whyUnreadable(text))
	}
	return pool, nil
}

// whyUnreadable returns why text has no certificate, as the end of a sentence. Names of types and
// headers are quoted, since text may be anything.
func whyUnreadable(text string) string {
	block, _ := pem.Decode([]byte(text))
	switch {
	case block == nil:
		return ". A certificate begins with -----BEGIN CERTIFICATE----- at the start of a line, " +
			"without spaces, quotes or a byte order mark before it, and is complete, to " +
			"-----END CERTIFICATE-----"
	case block.Type != "CERTIFICATE":
		return fmt.Sprintf(": the first block is %q, not \"CERTIFICATE\"", block.Type)
	case len(block.Headers) > 0:
		return fmt.Sprintf(": remove the lines %q and the empty line after them, which no "+
			"certificate has", slices.Sorted(maps.Keys(block.Headers)))
	}
	_, err := x509.ParseCertificate(block.Bytes)
	return fmt.Sprintf(": %s", err)
}

// inOneLine matches PEM whose line breaks were lost, for example by `echo $(cat …)`.
var inOneLine = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]+-----[ \t]*[^\s-]`)

// isEncrypted matches private keys with a passphrase, in PKCS #8 and in OpenSSL's older form.
var isEncrypted = regexp.MustCompile(`(?m)^(-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)`)

// pemText returns text with the line breaks that PEM needs. It adds the one that is missing if
// certificates were joined, as by `file(…)file(…)` or `cat`, and the first had none at its end. A
// path, and PEM without line breaks, are errors.
func pemText(text string) (string, error) {
	trimmed := strings.ToLower(strings.TrimSpace(text))
	named := slices.Contains([]string{".pem", ".crt", ".cer", ".key"}, filepath.Ext(trimmed))
	if named && !strings.ContainsAny(trimmed, "\r\n") && !strings.Contains(trimmed, "-----") {
		return text, errors.New("is a path: use file(…), or $(cat …) in a shell")
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "----------BEGIN", "-----\n-----BEGIN").
		Replace(text)
	if block, _ := pem.Decode([]byte(text)); block == nil && inOneLine.MatchString(text) {
		return text, errors.New("has lost its line breaks, which PEM needs: after BEGIN … and before " +
			"END …. In a shell, quote the value: \"$(cat …)\"")
	}
	return text, nil
}

// checkPair puts the client certificate and its private key together:
//
//	certificate  key               result
//	given        given             the pair, or an error at one of them
//	given        missing           an error at client_key_pem
//	given        unknown           nothing: it may be given
//	given        refused           nothing: its own error is enough
//
// The same holds for the two in reverse. If the pair cannot be used, tls.X509KeyPair says which is
// at fault: "certificate input" and "x509: …" mean the certificate, anything else means the key.
func (l *loader) checkPair() {
	const cert, key = "client_cert_pem", "client_key_pem"
	hasCert := l.clientCert != "" || slices.Contains(l.refused, cert)
	hasKey := l.clientKey != "" || slices.Contains(l.refused, key)
	missing, given := cert, key
	if hasCert {
		missing, given = key, cert
	}
	if hasCert != hasKey && !l.isUnknown(missing) {
		l.diags.AddAttributeError(path.Root(missing), TitleMissing+" "+missing,
			fmt.Sprintf("Set the attribute %s in the provider block or the environment variable "+
				"%s: mutual TLS needs it together with %s.", missing, variable(missing), given))
	}
	if l.clientCert == "" || l.clientKey == "" {
		return
	}
	pair, err := tls.X509KeyPair([]byte(l.clientCert), []byte(l.clientKey))
	if err != nil {
		name, other := key, cert
		switch text := err.Error(); {
		case isEncrypted.MatchString(l.clientKey):
			err = errors.New("it is encrypted; decrypt it, for example with openssl pkey")
		case strings.Contains(text, "does not match"):
			err = fmt.Errorf("%w; the first certificate must be the client's own", err)
		case strings.Contains(text, "certificate input"), strings.HasPrefix(text, "x509: "):
			name, other = other, name
		}
		l.invalid(name, fmt.Errorf("cannot be used with %s: %w", other, err))
		return
	}
	l.config.Certificate = &pair
}
