package client

import "terraform-provider-notification/internal/client/wire"

// RequestID names an attempt at a request to those who operate the servers.
type RequestID = wire.ID

// Trace is the trace of a pipeline, to which requests belong.
type Trace = wire.Trace

// ParseTrace reads the trace out of a traceparent (W3C Trace Context, section 3.2), of any version.
func ParseTrace(value string) (Trace, error) { return wire.ParseTrace(value) }
