package provider

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

// What a create stores and says, for each outcome of the submission and each delivery. Whatever
// happens, it makes one request.
func TestCreate(t *testing.T) {
	t.Parallel()
	const atMost = `,"delivery":"at_most_once"`
	for name, test := range map[string]struct {
		fault, more, summary string
		stored, confirmed    bool
		hasID                bool
	}{
		"accepted": {"", "", "", true, true, true},
		"without an id": {
			"empty", "", "Notification submitted without an id (request id ", true, true, false,
		},
		"rejected": {"status:422", "", "Unable to submit notification", false, false, false},
		"rejected, at most once": {
			"status:422", atMost, "Unable to submit notification", false, false, false,
		},
		"unknown": {"reset-after", "", "Notification may have been submitted", false, false, false},
		"unknown, at most once": {
			"reset-after", atMost, "Notification stored as unconfirmed (request id ",
			true, false, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, func(c *emulator.Config) {
				c.Faults = emulator.Faults{"submission": test.fault}
			})
			w := newWire(t, b)
			resp := w.apply(t, anAnnouncement+test.more+"}")
			if !test.stored && !strings.HasPrefix(resp.Diagnostics[0].Detail, "Not submitted: ") &&
				!strings.Contains(resp.Diagnostics[0].Detail, "may have accepted") {
				t.Errorf("%s", resp.Diagnostics[0].Detail)
			}
			if (len(resp.Diagnostics) == 0) != (test.summary == "") ||
				test.summary != "" &&
					!strings.HasPrefix(resp.Diagnostics[0].Summary, test.summary) {
				t.Errorf("%+v", resp.Diagnostics)
			}
			if got := b.Ledger().SubmissionRequests; got != 1 {
				t.Errorf("%d requests", got)
			}
			if got := w.isStored(t, resp); got != test.stored {
				t.Fatalf("stored: %t", got)
			} else if !got {
				return
			}
			id := w.attribute(t, resp.NewState, "notification_id")
			if test.hasID && id != b.Ledger().Submissions[0].NotificationID ||
				!test.hasID && id != nil {
				t.Errorf("notification_id %v", id)
			}
			if got := w.attribute(t, resp.NewState, "confirmed"); got != test.confirmed {
				t.Errorf("confirmed %v", got)
			}
			if got := w.attribute(t, resp.NewState, "as_submitted"); got != true {
				t.Errorf("as_submitted %v", got)
			}
			at, _ := w.attribute(t, resp.NewState, "submitted_at").(string)
			if err := isRecent(at); err != nil {
				t.Error(err)
			}
			if !strings.Contains(string(resp.Private), submissionKey) {
				t.Errorf("private state %s", resp.Private)
			}
		})
	}
}

// The time limit bounds the submission.
func TestCreate_timeout(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "status:429:60"}
	})
	w := newWire(t, b)
	resp := w.apply(t, anAnnouncement+`,"timeouts":{"create":"30s"}}`)
	if len(resp.Diagnostics) != 1 ||
		!strings.Contains(resp.Diagnostics[0].Detail, "asked to wait 1 minute, with only 30 seconds left") {
		t.Errorf("%+v", resp.Diagnostics)
	}
}

// Values that cannot be sent are refused before a request is made.
func TestCreate_refusesWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	unknown := arguments(t, anAnnouncement+"}")
	unknown["priority"] = tftypes.UnknownValue
	resp := w.applyAny(t, nil, w.plan(t, nil, unknown))
	if len(resp.Diagnostics) != 1 ||
		!strings.Contains(resp.Diagnostics[0].Detail, "priority is unknown. Nothing was sent.") {
		t.Errorf("%+v", resp.Diagnostics)
	}
	b.sent(t, 0)()
}

// Reading, updating and deleting make no request. An update stores the plan.
func TestOtherOperations(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	created := w.create(t, arguments(t, anAnnouncement+"}"))
	b.ClearLedger()
	read, err := w.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceName, CurrentState: created.NewState, Private: created.Private,
	})
	mustSucceed(t, err, read.Diagnostics)
	if !bytes.Equal(read.NewState.MsgPack, created.NewState.MsgPack) {
		t.Error("reading changes the state")
	}
	updated := w.update(t, created,
		arguments(t, strings.Replace(anAnnouncement, "HIGH", "BATCH", 1)+"}"))
	if w.attribute(t, updated.NewState, "priority") != "BATCH" ||
		w.attribute(t, updated.NewState, "as_submitted") != false ||
		w.attribute(t, updated.NewState, "notification_id") !=
			w.attribute(t, created.NewState, "notification_id") {
		t.Error("the update was not stored")
	}
	if warnings := w.delete(t, updated); len(warnings) > 0 {
		t.Errorf("%+v", warnings)
	}
	b.sent(t, 0)()
}

// An import stores the id and makes no request. An id that no service returns is refused.
func TestImportState(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	for id, refusal := range map[string]string{
		importedID: "", "": "is empty", "a b": "white space", "a\u202eb": "control character",
		strings.Repeat("x", 256): "", strings.Repeat("x", 257): "more than 256",
	} {
		resp, err := w.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
			TypeName: resourceName, ID: id,
		})
		if err != nil {
			t.Fatal(err)
		}
		if refusal != "" {
			if len(resp.Diagnostics) != 1 || len(resp.ImportedResources) > 0 ||
				!strings.Contains(resp.Diagnostics[0].Detail, refusal) {
				t.Errorf("%.20q: %+v", id, resp)
			}
			continue
		}
		mustSucceed(t, err, resp.Diagnostics)
		state := resp.ImportedResources[0].State
		for name, want := range map[string]any{
			"notification_id": id, "as_submitted": false, "submitted_at": nil, "confirmed": nil,
			"priority": nil, "delivery": nil,
		} {
			if got := w.attribute(t, state, name); got != want {
				t.Errorf("%.20q: %s is %v", id, name, got)
			}
		}
	}
	b.sent(t, 0)()
}

// The first plan after an import fills the arguments in, delivery too, and warns of nothing: what
// was sent is not known. Once it is applied, the next one changes nothing.
func TestPlan_afterImport(t *testing.T) {
	t.Parallel()
	const announcement = `{"priority":"HIGH","channels":[{"type":"slack"}]`
	b := newBackend(t, nil)
	w := newWire(t, b)
	for _, more := range []string{
		``, `,"resend_on_change":true,"triggers":{"a":"1"},"timeouts":{"create":"1m"}`,
	} {
		imported, err := w.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
			TypeName: resourceName, ID: importedID,
		})
		mustSucceed(t, err, imported.Diagnostics)
		state := &tfprotov6.ApplyResourceChangeResponse{
			NewState: imported.ImportedResources[0].State,
			Private:  imported.ImportedResources[0].Private,
		}
		given := arguments(t, announcement+more+"}")
		if p := w.plan(t, state, given); len(p.Diagnostics)+len(p.RequiresReplace) > 0 {
			t.Errorf("%s: %+v, replaced for %v", more, p.Diagnostics, p.RequiresReplace)
		}
		filled := w.update(t, state, given)
		for name, want := range map[string]any{
			"notification_id": importedID, "submitted_at": nil, "as_submitted": false,
			"delivery": atLeastOnce, "confirmed": nil,
		} {
			if got := w.attribute(t, filled.NewState, name); got != want {
				t.Errorf("%s: %s is %v", more, name, got)
			}
		}
		again := w.plan(t, filled, given)
		kind := w.schema.ResourceSchemas[resourceName].ValueType()
		before, err := filled.NewState.Unmarshal(kind)
		if err != nil {
			t.Fatal(err)
		}
		if after, err := again.PlannedState.Unmarshal(kind); err != nil || !after.Equal(before) {
			t.Errorf("%s: planned %s, %v", more, after, err)
		}
	}
	b.sent(t, 0)()
}

// What is wrong with a configuration is reported at its attribute.
func TestValidateResource(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	for text, want := range map[string]string{
		anAnnouncement + "}":                             "",
		anAnnouncement + `,"timeouts":{"create":"0s"}}`:  "timeouts.create: Invalid timeout",
		anAnnouncement + `,"timeouts":{"create":"-1s"}}`: "timeouts.create: Invalid timeout",
		anAnnouncement + `,"timeouts":{"create":"1s"}}`:  "",
		anAnnouncement + `,"triggers":{"a":null}}`:       "",
		`{"priority":"LOW","channels":[{"type":"x"}]}`: "priority: Invalid priority: priority " +
			"must be one of HIGH, NORMAL, BATCH.",
		anAnnouncement + `,"delivery":"At-Most-Once"}`: `delivery: Invalid delivery: ` +
			`delivery must be one of at_least_once, at_most_once. Did you mean "at_most_once"?`,
		anAnnouncement + `,"delivery":"never"}`: "delivery: Invalid delivery: " +
			"delivery must be one of at_least_once, at_most_once.",
		anAnnouncement + `,"timeouts":{"create":"soon"}}`: "timeouts.create: Invalid timeout: " +
			"timeouts.create must be a duration above zero, such as 30s or 10m.",
		`{"priority":"HIGH","channels":[{"type":"x","subject":" "}]}`: "channels[0].subject: " +
			"Blank value: channels[0].subject must not be blank. Set it to a value, or leave it " +
			"out if it is optional.",
		`{"priority":"HIGH","channels":[{"type":"x","recipient":["a"," "]}]}`: "" +
			"recipient[1]: Blank",
		`{"priority":"HIGH","channels":[{"type":"x","recipient":[]}]}`:         "at least 1",
		`{"priority":"HIGH","channels":[{"type":"x","recipient":[null]}]}`:     "Null",
		`{"priority":"HIGH","channels":[{"type":"x","fields":{"a":null}}]}`:    "Null",
		`{"priority":"HIGH","channels":[{"type":"x","fields_wo":{"a":null}}]}`: "Null",
		`{"priority":"HIGH","channels":[]}`:                                    "at least 1",
		`{"priority":"HIGH","channels":[null]}`:                                "Null",
		`{"priority":"HIGH","channels":[{"type":"x","fields":{"b":"","a":"","c":""},` +
			`"fields_wo":{"d":"","b":"","a":""}}]}`: "channels[0].fields_wo: Field given twice: " +
			"channels[0].fields_wo has a key that is also in fields.",
	} {
		got := strings.Join(w.validate(t, arguments(t, text)), "\n")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
	later := with(func(_, channel map[string]any, _ string) { // the value, not the key
		channel["fields"] = map[string]any{"pin": tftypes.UnknownValue}
		channel["fields_wo"] = map[string]any{"pin": "1"}
	}, "")
	if got := w.validate(t, later); len(got) != 1 || !strings.Contains(got[0], "Field given twice") {
		t.Errorf("a value that is not known yet: %q", got)
	}
}

// Write-only fields are sent, and stored nowhere.
func TestCreate_writeOnlyFields(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	resp := w.create(t, arguments(t, `{"priority":"HIGH","channels":[{"type":"sms"},`+
		`{"type":"slack","fields":{"a":"1"},"fields_wo":{"b":"canary"}}]}`))
	channels := b.Ledger().Submissions[0].Channels
	if len(channels) != 2 || len(channels[0].Fields) != 0 || len(channels[1].Fields) != 2 ||
		channels[1].Fields["b"] != "canary" {
		t.Errorf("sent %+v", channels)
	}
	if strings.Contains(string(resp.NewState.MsgPack)+string(resp.Private), "canary") {
		t.Error("a write-only value was stored")
	}
}
