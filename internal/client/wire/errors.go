package wire

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
)

// interpret explains err, an error of net/http, and reports whether another attempt would fail in
// the same way. connected is whether the request had a connection.
func interpret(err error, connected bool) (permanent bool, explained error) {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, notTLS := errors.AsType[tls.RecordHeaderError](err)
	proxy, _ := errors.AsType[*proxyError](err)
	ended := errors.Is(err, ErrCancelled) || errors.Is(err, ErrTimedOut)
	permanent = untrusted || notTLS || ended || errors.Is(err, errTooManyRedirects) ||
		IsCertificateAlert(err) ||
		proxy != nil && proxy.status < 500 // with 5xx a proxy reports an upstream problem
	err = reworded(err)
	switch {
	case (ended || errors.Is(err, ErrAttemptTimeout)) && connected:
		err = fmt.Errorf("%w before a response arrived", err)
	case errors.Is(err, ErrAttemptTimeout), errors.Is(err, errTooLate):
		err = fmt.Errorf("there was no connection (%w)", err)
	case notTLS && !connected: // with a connection, TLS has worked
		err = fmt.Errorf("the server does not speak TLS (%w)", err)
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("the connection was closed before a response arrived (%w)", err)
	case errors.Is(err, syscall.ECONNRESET):
		err = fmt.Errorf("%w before a response arrived", err)
	}
	return permanent, err
}

// systemWords replaces the words by which Terragrunt's default patterns recognize errors to retry: it
// would submit again what the service may have accepted. After "provider" and "tcp", any "timeout"
// is enough for them, such as that in the name of an argument.
var systemWords = strings.NewReplacer(" tcp", "",
	"context deadline exceeded", "a time limit was reached",
	"TLS handshake timeout", "the TLS handshake took too long")

// reworded returns err without those words, and without "connection reset by peer".
func reworded(err error) error {
	if err == nil {
		return nil
	}
	text := systemWords.Replace(err.Error())
	if errors.Is(err, syscall.ECONNRESET) {
		text = "the connection was reset"
	}
	return &rewordedError{text, err}
}

type rewordedError struct {
	text string
	err  error
}

func (e *rewordedError) Error() string { return e.text }
func (e *rewordedError) Unwrap() error { return e.err }

// IsCertificateAlert reports whether the server rejected this client's certificate, or the lack of
// one (RFC 8446, section 6.2).
func IsCertificateAlert(err error) bool { return isAlert(err, 42, 43, 44, 45, 46, 48, 49, 116) }

// IsHandshakeAlert reports whether the server rejected the handshake and gave no reason. With TLS
// 1.2, many servers give none when they get no certificate.
func IsHandshakeAlert(err error) bool { return isAlert(err, 40) }

// isAlert reports whether the server sent one of alerts.
func isAlert(err error, alerts ...tls.AlertError) bool {
	remote, _ := errors.AsType[*net.OpError](err)
	return remote != nil && remote.Op == "remote error" &&
		slices.ContainsFunc(alerts, func(alert tls.AlertError) bool {
			return remote.Err.Error() == alert.Error() // crypto/tls does not export its type
		})
}

// unquoted returns err without the part of a response that net/http quotes if it is not valid HTTP.
// Errors of the network and of certificates are returned unchanged. net/http has no type for its
// errors about malformed responses, so the quotation mark is what tells them apart.
func unquoted(err error) error {
	what, _, quotes := strings.Cut(fmt.Sprint(err), `"`)
	_, network := errors.AsType[net.Error](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	if !quotes || network || untrusted {
		return err
	}
	return errors.New(strings.TrimRight(what, " :[") + " (not quoted, since it may hold a token)")
}

// proxyError reports that a proxy rejected a CONNECT request.
type proxyError struct {
	proxy  string // host and port
	status int
}

func (e *proxyError) Error() string {
	text := http.StatusText(e.status)
	return fmt.Sprintf("the proxy %s refused to connect: %d %s", e.proxy, e.status, text)
}
