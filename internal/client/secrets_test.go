package client

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Errors quote neither secrets, wherever and in whatever variant a response contains them, nor
// queries, fragments and user information of URLs. SecretFields are secret during their submission.
func TestSecretsAreNotQuoted(t *testing.T) {
	t.Parallel()
	// The client secret is p&q"r, a header has the value "ApiKey canary-key", and the
	// notification has the secret fields sword#canary?fish@, canary-pin, xyz/def+gh==" and
	// 1.
	const found = "302\nLocation: "
	const notShown = "(not shown, since it repeats a secret)"
	longEcho := strings.Repeat("canary-pin, ", 20<<10/12) // truncated only after it was parsed as JSON
	for name, test := range map[string]struct {
		token, response string
		want            string // part of the error
	}{
		"everywhere": {ok, "200\nLocation: https://elsewhere.test/canary-key/p&q%22r?canary-key\n" +
			"Content-Type: text/html; canary-key\n\n" +
			"<html><p>p&amp;q&quot;r, key canary-key, aWQ6cCZxInI=</p>", // base64 of id:secret
			"Detail:with an HTML page, text/html; *** Message:" + notShown},
		"HTML page": {ok, "200\n\n<html><p>p&amp;q&quot;r, key canary-key, aWQ6cCZxInI=</p>",
			"Detail:with an HTML page, no Content-Type Message:" + notShown + " Code: "},
		"firewall": {ok, "202\nX-Amzn-Waf-Action: canary-key captcha",
			"Detail:from a firewall, x-amzn-waf-action: *** captcha "},
		"encoding": {ok, "422\nContent-Encoding: canary-key br\n\n\x1b\x03canary-key",
			"Detail:with Content-Encoding *** br Message: "},
		"trailer": {ok, "201\nTransfer-Encoding: chunked\n\n" +
			"5\r\nhello\r\n0\r\nfoo sword#canary?fish@\r\n\r\n", "broke off after 5 bytes"},
		"location": {ok, found + "/login/sword#canary?fish@", testHost + "/login/*** "},
		"rest of address": {ok, found + "//user:canary@sso.test/a?b=canary#canary",
			"Detail:to http://sso.test/a "},
		"encoded in the query": {ok, found + "//sso.test/a?to=p%26q%22r", "Detail:to http://sso.test/a "},
		"no address":           {ok, found + "http://%zz/?token=canary", "Status:302 "},
		"repeated notification": {ok, "422\nX-Request-Id: id-xyz/def+gh==\"\n\n" +
			`{"n":"1","pin":"xyz/def+gh==\""}`, "JSON:" + notShown},
		"not HTTP":      {ok, `422\nxyz/def+gh=="`, "Err:" + notShown},
		"id in the log": {ok, "422\nX-Request-Id: id-xyz/def+gh==\"", "ServerID:id-*** "},
		"long echo": {ok, fmt.Sprintf("422\nContent-Type: application/json\n\n"+
			`{"sent":%q,"title":"Unprocessable","detail":"no canary-pin"}`, longEcho),
			"Message:Unprocessable: no *** "},
		"granted scopes": {"200\n\n" + `{"access_token":"canary-token","scope":"read canary-token ` +
			`\u001b]0;owned\u0007 p&q\"r ` + strings.Repeat("x", 4000) + `"}`, "403",
			"GrantedScopes:read *** ]0;owned *** xxx"},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.ClientSecret = `p&q"r`
			config.Header = http.Header{"X-Key": {"ApiKey canary-key"}}
			c, _ := newClient(t, config, test.token, test.response)
			request := testNotification()
			request.Channels[0].SecretFields = map[string]string{
				"a": "sword#canary?fish@", "b": "canary-pin", "pin": `xyz/def+gh=="`, "n": "1",
			}
			receipt, err := c.SubmitNotification(t.Context(), request, "")
			text := fmt.Sprintf("%+v", receipt)
			if err != nil {
				text = fmt.Sprintf("%+v %s", *asError(t, err), err)
			}
			if !strings.Contains(text, test.want) || len(text) > 3000 ||
				err != nil && !strings.Contains(text, "URL:"+testHost+"/") {
				t.Errorf("want %q, and the service's address, in %s", test.want, text)
			}
			for _, part := range []string{"sword", "canary", "fish", "xyz", "p&q"} {
				if strings.Contains(text, part) {
					t.Errorf("the secret %q is in %s", part, text)
				}
			}
		})
	}
}
