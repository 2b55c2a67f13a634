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
			"/oauth2/token":       targetToken,
			"/notifications/v1":   targetSubmission,
			"/studies/v1":         targetStudies,
			"/%73tudies/v1":       targetStudies,
			"/studies/v1/":        targetOther,
			"//studies/v1":        targetOther,
			"/studies%2Fv1":       targetOther,
			"/Studies/v1":         targetOther,
			"/":                   targetOther,
			"/oauth2/token/":      targetOther,
			"/_emulator/ledger":   targetAdmin,
			"/_emulator":          targetAdmin,
			"/x/_emulator/ledger": targetOther,
		}},
		"system": {Config{Systems: []string{"a/b c:d"}}, map[string]target{
			"/a%2Fb%20c:d/notifications/v1":   targetSubmission,
			"/a%2Fb%20c%3Ad/notifications/v1": targetSubmission,
			"/a%2fb%20c:d/studies/v1":         targetStudies,
			"/a/b%20c:d/studies/v1":           targetOther,
			"/studies/v1":                     targetOther,
		}},
		"two systems": {Config{Systems: []string{"emea", "apac"}}, map[string]target{
			"/emea/notifications/v1": targetSubmission,
			"/apac/notifications/v1": targetSubmission,
			"/apac/studies/v1":       targetStudies,
			"/emea/apac/studies/v1":  targetOther,
			"/studies/v1":            targetOther,
		}},
		"leading slashes": {Config{NotificationsPath: "/send", StudiesPath: "/find/all"}, map[string]target{
			"/send":      targetSubmission,
			"/find/all":  targetStudies,
			"//send":     targetOther,
			"//find/all": targetOther,
		}},
		"paths": {Config{Systems: []string{"sys"}, NotificationsPath: "gate/way/send", StudiesPath: "/find%2Fthem/"}, map[string]target{
			"/gate/way/send":          targetSubmission,
			"/find%2Fthem/":           targetStudies,
			"/find%2Fthem":            targetOther,
			"/sys/gate/way/send":      targetOther,
			"/sys/notifications/v1":   targetOther,
			"/gate/way/send?ignored=": targetSubmission,
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
				if got, _ := e.routes.find(u); got != want {
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
