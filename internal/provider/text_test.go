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
)

// places are the arguments whose text is sent or compared. An error about a key or a value of a map
// is at the map.
var places = []place{
	{"priority", asText}, {"triggers", asValue}, {"triggers", asKey},
	{"channels[0].type", asText}, {"channels[0].subject", asText},
	{"channels[0].content_type", asText}, {"channels[0].template_id", asText},
	{"channels[0].recipient[1]", asElement},
	{"channels[0].fields", asValue}, {"channels[0].fields", asKey},
	{"channels[0].fields_wo", asValue}, {"channels[0].fields_wo", asKey},
}

type place struct {
	at string
	as func(text string) any
}

func asText(text string) any    { return text }
func asElement(text string) any { return []any{"a", text} }
func asValue(text string) any   { return map[string]any{"k": text} }
func asKey(text string) any     { return map[string]any{text: "v"} }

// with is a notification with the text in one place.
func (p place) with(text string) map[string]any {
	channel := map[string]any{"type": "slack"}
	given := map[string]any{"priority": "HIGH", "channels": []any{channel}}
	name, ofChannel := strings.CutPrefix(strings.TrimSuffix(p.at, "[1]"), "channels[0].")
	if ofChannel {
		channel[name] = p.as(text)
	} else {
		given[name] = p.as(text)
	}
	return given
}

// validate are the diagnostics of the resource's validation, by a Terraform that knows write-only
// attributes.
func (w *wire) validate(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(w.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceName, Config: w.resource(t, given),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		},
	})).Diagnostics
}

// A key that the protocol cannot carry hides no other error.
func TestInvalidText_hidesNothing(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	given := map[string]any{
		"priority": "HIGH", "triggers": map[string]any{"\xe9": "\xe8"},
		"channels": []any{map[string]any{
			"type": "slack", "subject": " ",
			"fields":    map[string]any{"\xe9": "\xe8", "a": nil},
			"fields_wo": map[string]any{"\xe8": "\xe8", "b": nil},
		}},
	}
	var at []string
	for _, found := range described(t, w.validate(t, given)) {
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
	w := newWire(f)
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		place := places[int(n)%len(places)]
		given := place.with(text)
		refusals := w.validate(t, given)
		fine := utf8.ValidString(text)
		switch {
		case place.at == "priority":
			fine = slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, text)
		case !strings.Contains(place.at, "fields") && !strings.HasPrefix(place.at, "triggers"):
			fine = fine && strings.TrimSpace(text) != ""
		}
		if !fine {
			onlySays(t, fmt.Sprintf("%q", text), refusals, place.at+": ")
			return
		}
		onlySays(t, fmt.Sprintf("%s = %q", place.at, text), refusals, "")
		stored, err := json.Marshal(given)
		var decoded map[string]any
		if err := errors.Join(err, json.Unmarshal(stored, &decoded)); err != nil ||
			!reflect.DeepEqual(decoded, given) {
			t.Fatalf("%q, %v", stored, err)
		}
		w.ClearLedger()
		w.create(t, given)
		delete(given, "triggers")
		channel := given["channels"].([]any)[0].(map[string]any)
		if secret, ok := channel["fields_wo"]; ok {
			delete(channel, "fields_wo")
			channel["fields"] = secret
		}
		_, completed := w.invoke(t.Context(), t, given)
		onlySays(t, fmt.Sprintf("%s = %q, action", place.at, text), completed.Diagnostics, "")
		for _, submission := range w.Ledger().Submissions {
			var body map[string]any
			if err := json.Unmarshal(submission.Body, &body); err != nil ||
				!reflect.DeepEqual(body, given) {
				t.Fatalf("%s = %q was sent as %q, %v", place.at, text, submission.Body, err)
			}
		}
		w.sent(t, 2)
	})
}
