package fault

import (
	"testing"

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
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Faults{"submission": test.text}.Parse()
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range test.taken {
				if got := s.Take(route.Submission).String(); got != want {
					t.Errorf("take %d: got %s, want %s", i+1, got, want)
				}
				if got := s.Faults()["submission"]; got != test.left[i] {
					t.Errorf("after take %d: left are %s, want %s", i+1, got, test.left[i])
				}
			}
		})
	}
}
