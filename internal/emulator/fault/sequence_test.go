package fault

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/route"
)

func TestSequenceTake(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text  string
		taken []string
		left  []string // after each
	}{
		"nothing": {"", []string{"pass", "pass"}, []string{"", ""}},
		"once": {
			"hang*2,empty",
			[]string{"hang", "hang", "empty", "pass"},
			[]string{"hang,empty", "empty", "", ""},
		},
		"repeat": {
			"hang*2,empty,repeat",
			[]string{"hang", "hang", "empty", "hang"},
			[]string{
				"hang,empty,hang,repeat", "empty,hang*2,repeat", "hang*2,empty,repeat",
				"hang,empty,hang,repeat",
			},
		},
		"repeat one": {
			"hang*2,repeat",
			[]string{"hang", "hang", "hang"},
			[]string{"hang*2,repeat", "hang*2,repeat", "hang*2,repeat"},
		},
		"repeat equal names": {
			"status:500,status:501,repeat",
			[]string{"status:500", "status:501", "status:500"},
			[]string{
				"status:501,status:500,repeat", "status:500,status:501,repeat",
				"status:501,status:500,repeat",
			},
		},
	} {
		s, err := Faults{"submission": test.text}.Parse()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range test.taken {
			taken, left := s.Take(route.Submission).String(), s.Faults()["submission"]
			if taken != want || left != test.left[i] {
				t.Errorf("%s: take %d is %s and leaves %s", name, i+1, taken, left)
			}
		}
	}
}

func TestSetRetryAfter(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 2, 28, 23, 59, 50, 0, time.UTC)
	for _, test := range []struct {
		fault string
		now   time.Time
		want  []string
	}{
		{"status:503", midnight, nil},
		{"status:503:7", midnight, []string{"7"}},
		{"status:503:date+10", midnight, []string{"Sun, 01 Mar 2026 00:00:00 GMT"}},
		{
			"status:503:date+10", midnight.Add(time.Nanosecond),
			[]string{"Sun, 01 Mar 2026 00:00:01 GMT"},
		},
		{
			"status:200:date+0", midnight.In(time.FixedZone("", 3600)),
			[]string{"Sat, 28 Feb 2026 23:59:50 GMT"},
		},
	} {
		s, err := Faults{"studies": test.fault}.Parse()
		if err != nil {
			t.Fatal(err)
		}
		header := make(http.Header)
		s.Take(route.Studies).SetRetryAfter(header, test.now)
		if got := header["Retry-After"]; !slices.Equal(got, test.want) {
			t.Errorf("%s at %s: got %q, want %q", test.fault, test.now, got, test.want)
		}
	}
}
