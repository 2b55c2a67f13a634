package client

import "net/http"

// Operation is what a request was for.
type Operation int

// The operations of the service's page, section 4.
const (
	FetchToken Operation = iota + 1
	SubmitNotification
	LookUpStudies
)

// String is a verb phrase: "submit the notification".
func (op Operation) String() string {
	switch op {
	case FetchToken:
		return "fetch an access token"
	case SubmitNotification:
		return "submit the notification"
	case LookUpStudies:
		return "look studies up"
	default:
		return "unknown operation"
	}
}

// repeatable reports whether carrying the operation out twice does no harm.
func (op Operation) repeatable() bool { return op != SubmitNotification }

// limit is how many bytes of an answer are read.
func (op Operation) limit() int64 {
	if op == LookUpStudies {
		return 16 << 20
	}
	return 1 << 20
}

// requestIDHeaders are the usual names under which servers and gateways say how
// they logged a request.
var requestIDHeaders = []string{
	"X-Request-Id", "X-Correlation-Id", "Request-Id", "X-Amzn-Requestid", "X-Ms-Request-Id", "X-Trace-Id", "Cf-Ray",
}

func requestID(header http.Header) string {
	for _, name := range requestIDHeaders {
		if id := header.Get(name); id != "" {
			return id
		}
	}
	return ""
}
