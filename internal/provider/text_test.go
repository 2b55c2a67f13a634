package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// places are the arguments whose text is sent or compared. An error about a key or a value of a map
// is at the map.
var places = []struct {
	at  string
	put func(arguments, channel map[string]any, text string)
}{
	{"priority", func(a, _ map[string]any, text string) { a["priority"] = text }},
	{"triggers", func(a, _ map[string]any, text string) {
		a["triggers"] = map[string]any{"k": text}
	}},
	{"triggers", func(a, _ map[string]any, text string) {
		a["triggers"] = map[string]any{text: "v"}
	}},
	{"channels[0].type", func(_, c map[string]any, text string) { c["type"] = text }},
	{"channels[0].subject", func(_, c map[string]any, text string) { c["subject"] = text }},
	{"channels[0].content_type", func(_, c map[string]any, text string) {
		c["content_type"] = text
	}},
	{"channels[0].template_id", func(_, c map[string]any, text string) { c["template_id"] = text }},
	{"channels[0].recipient[1]", func(_, c map[string]any, text string) {
		c["recipient"] = []any{"a", text}
	}},
	{"channels[0].fields", func(_, c map[string]any, text string) {
		c["fields"] = map[string]any{"k": text}
	}},
	{"channels[0].fields", func(_, c map[string]any, text string) {
		c["fields"] = map[string]any{text: "v"}
	}},
	{"channels[0].fields_wo", func(_, c map[string]any, text string) {
		c["fields_wo"] = map[string]any{"k": text}
	}},
	{"channels[0].fields_wo", func(_, c map[string]any, text string) {
		c["fields_wo"] = map[string]any{text: "v"}
	}},
}

// with is a notification with the text in one place.
func with(put func(arguments, channel map[string]any, text string), text string) map[string]any {
	channel := map[string]any{"type": "slack"}
	given := map[string]any{"priority": "HIGH", "channels": []any{channel}}
	put(given, channel, text)
	return given
}

// validate returns what validation of the resource finds: "PATH: SUMMARY: DETAIL". All of it must
// be text that the protocol can carry.
func (w *wire) validate(t *testing.T, given map[string]any) (found []string) {
	t.Helper()
	resp, err := w.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceName, Config: w.value(t, w.schema.ResourceSchemas[resourceName], given),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return described(t, resp.Diagnostics)
}

func described(t *testing.T, diagnostics []*tfprotov6.Diagnostic) (found []string) {
	t.Helper()
	for _, d := range diagnostics {
		var at strings.Builder
		for _, step := range d.Attribute.Steps() {
			switch step := step.(type) {
			case tftypes.AttributeName:
				at.WriteString("." + string(step))
			case tftypes.ElementKeyInt:
				fmt.Fprintf(&at, "[%d]", step)
			case tftypes.ElementKeyString:
				fmt.Fprintf(&at, "[%q]", string(step))
				if !utf8.ValidString(string(step)) {
					t.Errorf("the protocol cannot carry the path of %s: %s", d.Summary, d.Detail)
				}
			default: // the element of a set, which the protocol leaves out
				fmt.Fprintf(&at, "[%v]", step)
			}
		}
		text := strings.TrimPrefix(at.String(), ".") + ": " + d.Summary + ": " + d.Detail
		if !utf8.ValidString(text) {
			t.Errorf("not valid UTF-8: %q", text)
		}
		found = append(found, text)
	}
	return found
}

// Text that JSON cannot carry is refused wherever it would be sent or compared: once, where it is.
func TestInvalidText(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	for _, place := range places {
		given := with(place.put, "D\xe9ploiement")
		want := place.at + ": Invalid text: " + place.at + " must be valid UTF-8: other bytes"
		if place.at == "priority" {
			want = "priority: Invalid priority: "
		}
		found := w.validate(t, given)
		if len(found) != 1 || !strings.HasPrefix(found[0], want) {
			t.Errorf("%s: %q", place.at, found)
		}
		if strings.HasPrefix(place.at, "triggers") || strings.Contains(place.at, "fields_wo") {
			continue // which the action does not have
		}
		_, completed := w.invokeWith(t.Context(), t, given)
		found = described(t, completed.Diagnostics)
		if len(found) != 1 || !strings.HasPrefix(found[0], want) {
			t.Errorf("%s of the action: %q", place.at, found)
		}
	}
	b.sent(t, 0)()
}

// A key that the protocol cannot carry hides no other error.
func TestInvalidText_keys(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	given := with(func(a, c map[string]any, _ string) {
		a["triggers"] = map[string]any{"\xe9": "\xe8"}
		c["fields"] = map[string]any{"\xe9": "\xe8", "a": nil}
		c["fields_wo"] = map[string]any{"\xe8": "\xe8", "b": nil}
		c["subject"] = " "
	}, "")
	var at []string
	for _, found := range w.validate(t, given) {
		path, _, _ := strings.Cut(found, ":")
		at = append(at, path)
	}
	slices.Sort(at)
	if want := []string{
		"channels[0].fields", "channels[0].fields", "channels[0].fields_wo",
		"channels[0].fields_wo", "channels[0].subject", "triggers",
	}; !slices.Equal(at, want) {
		t.Errorf("%q", at)
	}
}

// Whatever is sent or compared is refused, or it arrives and is stored byte for byte. Nothing is
// refused but what JSON cannot carry, and blanks.
func FuzzText(f *testing.F) {
	for place := range places {
		for _, text := range []string{
			"D\xe9ploiement", "Déploiement", "De\u0301ploiement", "<&>\u2028\"\\", "\x00\x7f\r\n",
			"\ufffd", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xef\xbb\xbf", " ", "", "k",
			"HIGH", "\U0001F680\xf0\x9f", "\u0085", "type",
		} {
			f.Add(uint8(place), text)
		}
	}
	b := newBackend(f, nil)
	w := newWire(f, b)
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		place := places[int(n)%len(places)]
		given := with(place.put, text)
		refusals := w.validate(t, given)
		fine := utf8.ValidString(text)
		switch {
		case place.at == "priority":
			fine = slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, text)
		case !strings.Contains(place.at, "fields") && !strings.HasPrefix(place.at, "triggers"):
			fine = fine && strings.TrimSpace(text) != ""
		}
		if fine != (len(refusals) == 0) {
			t.Fatalf("%s = %q: %q", place.at, text, refusals)
		}
		if !fine {
			return
		}
		stored, err := json.Marshal(given)
		var decoded map[string]any
		if err := errors.Join(err, json.Unmarshal(stored, &decoded)); err != nil ||
			!reflect.DeepEqual(decoded, given) {
			t.Fatalf("%q, %v", stored, err)
		}
		b.ClearLedger()
		w.create(t, given)
		ofResource := b.Ledger().Submissions
		delete(given, "triggers")
		channel := given["channels"].([]any)[0].(map[string]any)
		if secret, ok := channel["fields_wo"]; ok {
			delete(channel, "fields_wo")
			channel["fields"] = secret
		}
		_, completed := w.invokeWith(t.Context(), t, given)
		if len(completed.Diagnostics) > 0 {
			t.Fatalf("the action: %q", described(t, completed.Diagnostics))
		}
		for _, submission := range b.Ledger().Submissions {
			var body map[string]any
			if err := json.Unmarshal(submission.Body, &body); err != nil ||
				!reflect.DeepEqual(body, given) {
				t.Fatalf("%s = %q was sent as %q, %v", place.at, text, submission.Body, err)
			}
		}
		if n := len(b.Ledger().Submissions); n != 2 || len(ofResource) != 1 {
			t.Fatalf("%d submissions", n)
		}
	})
}
