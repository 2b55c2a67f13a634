package provider

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// What a create stores and says, for each outcome of the submission and each delivery. Whatever
// happens, it makes one request.
func TestCreate(t *testing.T) {
	t.Parallel()
	const atMost, stored = `,"delivery":"at_most_once"`, true
	for name, test := range map[string]struct {
		fault, more, says string
		stored, confirmed bool
	}{
		"accepted": {"", "", "", stored, true},
		"without an id": {
			"empty", "", "Warning: Notification submitted without an id (request id ", stored, true,
		},
		"rejected": {
			"status:422", "", "Unable to submit notification: Not submitted: ", false, false,
		},
		"rejected, at most once": {
			"status:422", atMost, "Unable to submit notification: Not submitted: ", false, false,
		},
		"not in time": {
			"status:429:60", `,"timeouts":{"create":"30s"}`,
			"asked to wait 1 minute, with only 30 seconds left ... Wait a while, or raise timeouts.create.",
			false, false,
		},
		"unknown": {
			"reset-after", "", "Notification may have been submitted: ... may have accepted",
			false, false,
		},
		"unknown, at most once": {
			"reset-after", atMost, "Warning: Notification stored as unconfirmed (request id ",
			stored, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newBackend(t, faulty("submission", test.fault)).wire(t, nil)
			resp := w.apply(t, anAnnouncement+test.more+"}")
			onlySays(t, name, resp.Diagnostics, test.says)
			ledger := w.Ledger()
			if ledger.SubmissionRequests != 1 {
				t.Errorf("%d requests", ledger.SubmissionRequests)
			}
			const agent = "terraform-provider-notification/test terraform/1.14.0"
			if got := ledger.Requests[1].Headers["User-Agent"]; got != agent {
				t.Errorf("the user agent is %q", got)
			}
			if got := w.isStored(t, resp); got != test.stored {
				t.Fatalf("stored: %t", got)
			} else if !got {
				return
			}
			var id any
			if test.fault == "" {
				id = ledger.Submissions[0].NotificationID
			}
			w.has(t, name, resp.NewState, map[string]any{
				"notification_id": id, "id": id, "confirmed": test.confirmed, "as_submitted": true,
			})
			at, _ := w.attribute(t, resp.NewState, "submitted_at").(string)
			if err := isRecent(at); err != nil {
				t.Error(err)
			}
			if len(resp.Private) > 0 {
				t.Errorf("private state %s", resp.Private)
			}
		})
	}
}

// Reading, updating and deleting make no request. An update stores the plan.
func TestOtherOperations(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	created := w.create(t, arguments(t, anAnnouncement+"}"))
	w.ClearLedger()
	read := must(w.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceName, CurrentState: created.NewState, Private: created.Private,
	}))
	mustSucceed(t, read.Diagnostics)
	if !bytes.Equal(read.NewState.MsgPack, created.NewState.MsgPack) {
		t.Error("reading changes the state")
	}
	updated := w.update(t, created,
		arguments(t, strings.Replace(anAnnouncement, "HIGH", "BATCH", 1)+"}"))
	id := w.attribute(t, created.NewState, "notification_id")
	w.has(t, "updated", updated.NewState, map[string]any{
		"priority": "BATCH", "as_submitted": false, "notification_id": id, "id": id,
	})
	if warnings := w.delete(t, updated); len(warnings) > 0 {
		t.Errorf("%+v", warnings)
	}
	w.sent(t, 0)
}

func (w *wire) importState(t *testing.T, id string) *tfprotov6.ImportResourceStateResponse {
	t.Helper()
	return must(w.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: resourceName, ID: id,
	}))
}

// An import stores the id and makes no request. An id that no service returns is refused.
func TestImportState(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	for id, refusal := range map[string]string{
		importedID: "", "": "is empty", "a b": "white space", "a\u202eb": "control character",
		strings.Repeat("x", 256): "", strings.Repeat("x", 257): "more than 256",
	} {
		resp := w.importState(t, id)
		onlySays(t, id, resp.Diagnostics, refusal)
		if refusal == "" {
			w.has(t, id, resp.ImportedResources[0].State, map[string]any{
				"notification_id": id, "as_submitted": false, "submitted_at": nil,
				"confirmed": nil, "priority": nil, "delivery": nil,
			})
		} else if len(resp.ImportedResources) > 0 {
			t.Errorf("%.20q: imported", id)
		}
	}
	w.sent(t, 0)
}

// The first plan after an import fills the arguments in, delivery too, and warns of nothing: what
// was sent is not known. Once it is applied, the next one changes nothing.
func TestPlan_afterImport(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	imported := w.importState(t, importedID).ImportedResources[0]
	state := &tfprotov6.ApplyResourceChangeResponse{
		NewState: imported.State, Private: imported.Private,
	}
	for _, more := range []string{
		``, `,"resend_on_change":true,"triggers":{"a":"1"},"timeouts":{"create":"1m"}`,
	} {
		given := arguments(t, `{"priority":"HIGH","channels":[{"type":"slack"}]`+more+"}")
		if p := w.plan(t, state, given); len(p.Diagnostics)+len(p.RequiresReplace) > 0 {
			t.Errorf("%s: %+v, replaced for %v", more, p.Diagnostics, p.RequiresReplace)
		}
		filled := w.update(t, state, given)
		w.has(t, more, filled.NewState, map[string]any{
			"notification_id": importedID, "submitted_at": nil, "as_submitted": false,
			"delivery": atLeastOnce, "confirmed": nil,
		})
		again := w.plan(t, filled, given)
		if !bytes.Equal(again.PlannedState.MsgPack, filled.NewState.MsgPack) {
			t.Errorf("%s: planned %q", more, again.PlannedState.MsgPack)
		}
	}
	w.sent(t, 0)
}

// What is wrong with a configuration is reported at its attribute.
func TestValidateResource(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	for text, want := range map[string]string{
		anAnnouncement + "}":                             "",
		anAnnouncement + `,"timeouts":{"create":"0s"}}`:  "timeouts.create: Invalid timeout",
		anAnnouncement + `,"timeouts":{"create":"-1s"}}`: "timeouts.create: Invalid timeout",
		anAnnouncement + `,"timeouts":{"create":"1s"}}`:  "",
		anAnnouncement + `,"triggers":{"a":null}}`:       "",
		anAnnouncement + `,"delivery":"At-Most-Once"}`: `delivery: Invalid delivery: ` +
			`delivery must be one of at_least_once, at_most_once. Did you mean "at_most_once"?`,
		anAnnouncement + `,"delivery":"never"}`: "delivery: Invalid delivery: " +
			"delivery must be one of at_least_once, at_most_once.",
		anAnnouncement + `,"timeouts":{"create":"soon"}}`: "timeouts.create: Invalid timeout: " +
			"timeouts.create must be a duration above zero, such as 30s or 10m.",
	} {
		onlySays(t, text, w.validate(t, arguments(t, text)), want)
	}
}

// Terraform before 1.11 would plan these values like any others, and display them.
func TestWriteOnlyInOldTerraform(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	for _, fields := range []string{`{"pin":"canary"}`, `{"pin":"?"}`, `"?"`} {
		given := arguments(t,
			`{"priority":"HIGH","channels":[{"type":"slack","fields_wo":`+fields+`}]}`)
		found := w.validateIn(t, given, nil)
		onlySays(t, fields, found, "channels[0].fields_wo: ... 1.11")
		if text := strings.Join(described(t, found), ""); strings.Contains(text, "canary") {
			t.Errorf("%s: the value is shown: %s", fields, text)
		}
		onlySays(t, fields+" in new Terraform", w.validate(t, given), "")
	}
}

// Write-only fields are sent, and stored nowhere.
func TestCreate_writeOnlyFields(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	resp := w.create(t, arguments(t, `{"priority":"HIGH","channels":[{"type":"sms"},`+
		`{"type":"slack","fields":{"a":"1"},"fields_wo":{"b":"canary"}}]}`))
	channels := w.Ledger().Submissions[0].Channels
	if len(channels) != 2 || len(channels[0].Fields) != 0 || len(channels[1].Fields) != 2 ||
		channels[1].Fields["b"] != "canary" {
		t.Errorf("sent %+v", channels)
	}
	if strings.Contains(string(resp.NewState.MsgPack)+string(resp.Private), "canary") {
		t.Error("a write-only value was stored")
	}
}
