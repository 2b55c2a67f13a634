package emulator

import (
	"strings"
	"testing"
	"time"
)

func TestNewRejects(t *testing.T) {
	t.Parallel()
	const badCatalogue = "the catalogue of studies must be a JSON array of objects, each with a string name: "
	const reserved = "cannot be the name of the idempotency key header"
	catalogue := func(text string) map[string][]byte {
		return map[string][]byte{"studies": []byte(text)}
	}
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no client ID":           {func(c *Config) { c.ClientID = "" }, "client ID"},
		"no secret":              {func(c *Config) { c.ClientSecret = "" }, "client secret"},
		"two scopes in one":      {func(c *Config) { c.Scopes = []string{"a b"} }, `scope "a b"`},
		"empty scope":            {func(c *Config) { c.Scopes = []string{""} }, `scope ""`},
		"negative lifetime":      {func(c *Config) { c.TokenLifetime = -time.Second }, "lifetime"},
		"token path":             {func(c *Config) { c.Paths = map[string]string{"studies": "/oauth2/token"} }, "studies path"},
		"quote in a scope":       {func(c *Config) { c.Scopes = []string{`a"b`} }, `scope "a\"b"`},
		"backslash in a scope":   {func(c *Config) { c.Scopes = []string{`a\b`} }, "scope"},
		"two headers in one":     {func(c *Config) { c.IdempotencyKeyHeader = "A, B" }, `"A, B"`},
		"reserved header":        {func(c *Config) { c.IdempotencyKeyHeader = "content-Type" }, reserved},
		"header with the token":  {func(c *Config) { c.IdempotencyKeyHeader = "Authorization" }, reserved},
		"host with a port":       {func(c *Config) { c.AllowedHosts = []string{"a.b:80"} }, `host "a.b:80"`},
		"empty host":             {func(c *Config) { c.AllowedHosts = []string{""} }, `host ""`},
		"catalogue is null":      {func(c *Config) { c.Catalogues = catalogue(`null`) }, badCatalogue + "it is null"},
		"catalogue is an object": {func(c *Config) { c.Catalogues = catalogue(`{}`) }, badCatalogue},
		"empty catalogue":        {func(c *Config) { c.Catalogues = catalogue(``) }, badCatalogue},
		"study is not an object": {func(c *Config) { c.Catalogues = catalogue(`[[]]`) }, badCatalogue + "item 1 is not"},
		"study is null":          {func(c *Config) { c.Catalogues = catalogue(`[null]`) }, badCatalogue},
		"study without a name":   {func(c *Config) { c.Catalogues = catalogue(`[{"NAME":"x"}]`) }, badCatalogue},
		"study with a number":    {func(c *Config) { c.Catalogues = catalogue(`[{"name":"x"},{"name":1}]`) }, badCatalogue + "item 2"},
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
