package studies

import "testing"

func TestFromJSON_furtherPages(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"studies":[{}],"next":"https://example.com/?page=2"}`: "next",
		` {"studies":[{}],"next":2}`:                            "next",
		`{"next":true,"studies":[]}`:                            "next",
		`{"studies":[],"next_page_token":"abc"}`:                "next_page_token",
		`{"studies":[],"nextPageToken":"abc"}`:                  "nextPageToken",
		`{"studies":[],"next_cursor":"abc"}`:                    "next_cursor",
		`{"studies":[],"_links":{"next":{"href":"/page/2"}}}`:   "_links.next",
		`{"studies":[],"links":{"self":"/","next":"/page/2"}}`:  "links.next",
		`{"studies":[{},{}],"total":3}`:                         "total",
		`{"studies":null,"total_count":1}`:                      "total_count",
		`{"studies":[{},{}],"total":2,"total_count":3}`:         "total_count",
		`{"studies":[{},{}],"total":2,"total_count":1}`:         "",
		`{"studies":[],"next":{"href":"/page/2"}}`:              "next",
		`{"studies":[],"next":{"page":2}}`:                      "next",
		`{"studies":[],"has_more":true}`:                        "has_more",
		`{"studies":[],"pagination":{"next":2}}`:                "pagination.next",
		`{"studies":[{}],"total":"2"}`:                          "total",
		`{"studies":[{}],"total":"1"}`:                          "",
		`{"studies":[{}],"total":""}`:                           "",
		`{"studies":[],"has_more":false,"pagination":{}}`:       "",
		`{"studies":[],"next":{ },"next_page_token":[ ]}`:       "",
		`{"studies":[],"next":{"href": null}}`:                  "",
		`{"studies":[],"next":{"rel":"next","href":""}}`:        "",
		`{"studies":[],"links":{"next":{ "href":{ } }}}`:        "",
		`{"studies":[],"next":{"url":null,"rel":"next"}}`:       "",
		`{"studies":[],"next":{"url":"/page/2"}}`:               "next",
		`{"studies":[],"has_more":"false","next":" "}`:          "",
		`{"studies":[],"next":null,"total":0,"next_cursor":""}`: "",
		`{"studies":[],"next":false,"nextPageToken":0}`:         "",
		`{"studies":[],"links":["next"],"_links":null}`:         "",
		`{"studies":[],"Next":"x","page":{"next":"x"}}`:         "",
		`{"studies":[{"next":"x","total":9}]}`:                  "",
		`{"studies":[{}],"total":"many"}`:                       "",
		`{"studies":{"name":"the only study"},"next":"x"}`:      "",
		`{"name":"the only study","next":"CETUS","total":1000}`: "",
		`[{"next":"x","studies":[]}]`:                           "",
		``:                                                      "",
		`null`:                                                  "",
	} {
		if _, got, err := FromJSON(t.Context(), []byte(body)); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", body, got, err, want)
		}
	}
}
