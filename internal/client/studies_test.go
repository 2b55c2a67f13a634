package client

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The name is added to the query of the address, with spaces as every server decodes them. Lookups
// are retried after anything that may be temporary. Redirects within the origin are part of one
// attempt, if they keep the query: without the name, the service would return all studies. The
// address may have a query, which errors do not contain. The rest of it stays visible, even if a
// header has a part of it as its value. A response of up to 16 MiB is read.
func TestOutcomeOfLookup(t *testing.T) {
	t.Parallel()
	const (
		query    = "name=A%20B%2BC%2F%C3%BC%3F%26"
		inside   = "302\nLocation: /find?more&" + query + "&version=2"
		noName   = "301\nLocation: /find/?version=2"
		other    = "308\nLocation: /find?name=A&version=2"
		address  = "http://customers.test/find"
		outside  = "307\nLocation: http://customers.test:8080/" // another port, so another origin
		cutOff   = "200\nContent-Length: 9\n\n["
		tooLarge = "the response is larger than this provider reads"
	)
	for name, test := range map[string]struct {
		responses []string // followed by ok
		requests  int
		text      string // of the error
	}{
		"temporary":            {[]string{"500", "503", "429\nRetry-After: 2", "499"}, 5, ""},
		"not certain":          {[]string{"408", "424", "460"}, 4, ""},
		"no response":          {slices.Repeat([]string{lost}, 5), 5, "before a response arrived (EOF)"},
		"cut off":              {slices.Repeat([]string{cutOff}, 5), 5, "unexpected EOF"},
		"redirect":             {[]string{inside}, 2, ""},
		"redirect repeatedly":  {slices.Repeat([]string{inside}, 10), 10, "too many times"},
		"redirect, no name":    {[]string{noName}, 1, "301 Moved Permanently"},
		"redirect, other name": {[]string{other}, 1, "308 Permanent Redirect"},
		"redirect to outside":  {[]string{outside}, 1, "307 Temporary Redirect"},
		"too long a wait":      {[]string{"429\nRetry-After: 301"}, 1, "wait 5m1s, with only 5m0s left"},
		"404":                  {[]string{"404"}, 1, "404 Not Found"},
		"HTML page":            {[]string{"200\n\n<!doctype html>Sign in"}, 1, "Sign in"},
		"firewall":             {[]string{"202\nX-Amzn-Waf-Action: challenge"}, 1, "202 Accepted"},
		"only errors":          {[]string{"200\n\n" + `{"error":"no","data":null}`}, 1, `{"error":"no"}`},
		"studies and errors":   {[]string{"200\n\n" + `{"error":"no","studies":[]}`}, 1, ""},
		"largest":              {[]string{"200\n\n" + strings.Repeat(" ", 16<<20)}, 1, ""},
		"larger than expected": {[]string{"200\n\n" + strings.Repeat(" ", 16<<20+1)}, 1, tooLarge},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.StudiesURL = mustParse(address + "?version=2")
			config.Header = http.Header{"X-Tenant": {"customers"}}
			c, service := scripted(t, config, test.responses...)
			body, _, err := c.LookUpStudies(t.Context(), "A B+C/ü?&")
			last := append(test.responses, ok)[test.requests-1]
			if asked := at(t, service.requests, 0).RequestURI; asked != "/find?version=2&"+query {
				t.Errorf("requested %s", asked)
			}
			if len(service.requests) != test.requests || test.text == "" &&
				(err != nil || !strings.HasSuffix(last, "\n"+string(body))) {
				t.Errorf("%d requests, want %d; %d bytes, %v", len(service.requests), test.requests, len(body),
					err)
			}
			if test.text == "" {
				return
			}
			failed, text := asError(t, err), err.Error()
			if failed.Ambiguous || failed.URL.String() != address ||
				!strings.Contains(text, test.text) || strings.Contains(text, "?") {
				t.Errorf("got %+v, want %q without a query", *failed, test.text)
			}
		})
	}
}
