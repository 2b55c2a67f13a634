package emulator

import (
	"net/http"
	"net/url"
	"testing"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config Config
		want   map[string]target
	}{
		"defaults": {Config{}, map[string]target{
			"/oauth2/token":       toToken,
			"/notifications/v1":   toSubmission,
			"/studies/v1":         toStudies,
			"/%73tudies/v1":       toStudies,
			"/studies/v1/":        toOther,
			"//studies/v1":        toOther,
			"/studies%2Fv1":       toOther,
			"/Studies/v1":         toOther,
			"/":                   toOther,
			"/oauth2/token/":      toOther,
			"/_emulator/ledger":   toAdmin,
			"/_emulator":          toAdmin,
			"/x/_emulator/ledger": toOther,
		}},
		"system": {Config{System: "a/b c:d"}, map[string]target{
			"/a%2Fb%20c:d/notifications/v1":   toSubmission,
			"/a%2Fb%20c%3Ad/notifications/v1": toSubmission,
			"/a%2fb%20c:d/studies/v1":         toStudies,
			"/a/b%20c:d/studies/v1":           toOther,
			"/studies/v1":                     toOther,
		}},
		"paths": {Config{System: "sys", NotificationsPath: "gate/way/send", StudiesPath: "/find%2Fthem/"}, map[string]target{
			"/gate/way/send":          toSubmission,
			"/find%2Fthem/":           toStudies,
			"/find%2Fthem":            toOther,
			"/sys/gate/way/send":      toOther,
			"/sys/notifications/v1":   toOther,
			"/gate/way/send?ignored=": toSubmission,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEmulator(t, test.config)
			for path, want := range test.want {
				u, err := url.Parse("http://localhost" + path)
				if err != nil {
					t.Fatal(err)
				}
				if got := e.routes.target(u); got != want {
					t.Errorf("%s leads to %s, want %s", path, got, want)
				}
			}
		})
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodPost, "/nowhere/v1", minimal), http.StatusNotFound, "/nowhere/v1")
	for path, allowed := range map[string]string{
		tokenPath:      http.MethodPost,
		submissionPath: http.MethodPost,
		studiesPath:    http.MethodGet,
	} {
		r := h.do(http.MethodPut, path, "")
		h.wantProblem(r, http.StatusMethodNotAllowed, allowed)
		if got := r.header.Get("Allow"); got != allowed {
			t.Errorf("%s: Allow is %q, want %q", path, got, allowed)
		}
	}
	l := h.e.Ledger()
	if l.OtherRequests != 1 || l.TokenRequests != 1 || l.SubmissionRequests != 1 || l.StudyRequests != 1 {
		t.Errorf("requests are miscounted: %+v", l)
	}
}
