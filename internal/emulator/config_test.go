package emulator

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestNewRejects(t *testing.T) {
	t.Parallel()
	const notAnObject = "study 1 of the catalogue is not an object with a string name"
	const reserved = "cannot be the name of the idempotency key header"
	catalogue := func(study string) []json.RawMessage { return []json.RawMessage{[]byte(study)} }
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no client ID":           {func(c *Config) { c.ClientID = "" }, "client ID"},
		"no secret":              {func(c *Config) { c.ClientSecret = "" }, "client secret"},
		"two scopes in one":      {func(c *Config) { c.Scopes = []string{"a b"} }, `scope "a b"`},
		"empty scope":            {func(c *Config) { c.Scopes = []string{""} }, `scope ""`},
		"negative lifetime":      {func(c *Config) { c.TokenLifetime = -time.Second }, "lifetime"},
		"token path":             {func(c *Config) { c.StudiesPath = "/oauth2/token" }, "studies path"},
		"quote in a scope":       {func(c *Config) { c.Scopes = []string{`a"b`} }, `scope "a\"b"`},
		"backslash in a scope":   {func(c *Config) { c.Scopes = []string{`a\b`} }, "scope"},
		"two headers in one":     {func(c *Config) { c.IdempotencyKeyHeader = "A, B" }, `"A, B"`},
		"reserved header":        {func(c *Config) { c.IdempotencyKeyHeader = "content-Type" }, reserved},
		"header with the token":  {func(c *Config) { c.IdempotencyKeyHeader = "Authorization" }, reserved},
		"host with a port":       {func(c *Config) { c.AllowedHosts = []string{"a.b:80"} }, `host "a.b:80"`},
		"empty host":             {func(c *Config) { c.AllowedHosts = []string{""} }, `host ""`},
		"study is not an object": {func(c *Config) { c.Studies = catalogue(`[]`) }, notAnObject},
		"study is null":          {func(c *Config) { c.Studies = catalogue(`null`) }, notAnObject},
		"study without a name":   {func(c *Config) { c.Studies = catalogue(`{"NAME":"x"}`) }, notAnObject},
		"study with a number":    {func(c *Config) { c.Studies = catalogue(`{"name":1}`) }, notAnObject},
		"unknown fault":          {func(c *Config) { c.Faults = Faults{"token": "bang"} }, `"bang"`},
	} {
		config := Config{ClientID: testID, ClientSecret: testSecret}
		test.change(&config)
		if e, err := New(config); err == nil || e != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: New = %v, %v; want an error with %q", name, e, err, test.want)
		}
	}
}

func TestNewReportsAllProblems(t *testing.T) {
	t.Parallel()
	_, err := New(Config{TokenLifetime: -1, Faults: Faults{"token": "x", "studies": "y"}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"client ID", "client secret", "lifetime", `"x"`, `"y"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %s", err, want)
		}
	}
}
