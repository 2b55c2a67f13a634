package provider

import (
	"bytes"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
)

const (
	// packedMark marks what is packed. A collection of the user's that looks packed is packed too,
	// so that unpacking gives it back. The framework's log quotes the mark as a key of fields.
	packedMark = "\x00packed\x00"

	// packedSize is how many bytes of text make a collection worth packing.
	packedSize = 4096
)

// pack returns value, of the resource or of the action, with the large lists and maps of strings of
// its channels packed into a single element. Equal collections are packed into equal ones. What has
// an element that is null or unknown, or blank in a list, stays as it is, for the validators.
func pack(value *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	if value == nil || (len(value.MsgPack) < packedSize && !holdsPacked(value)) {
		return value
	}
	return inChannels(value, packCollection)
}

// unpack reverses pack.
func unpack(value *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	if value == nil || !holdsPacked(value) {
		return value
	}
	return inChannels(value, unpackCollection)
}

func holdsPacked(value *tfprotov6.DynamicValue) bool {
	return bytes.Contains(value.MsgPack, []byte(packedMark))
}

// inChannels returns value with change made to each attribute of each channel that is known.
func inChannels(
	value *tfprotov6.DynamicValue, change func(msgpack.RawMessage) msgpack.RawMessage,
) *tfprotov6.DynamicValue {
	object := decoded[map[string]msgpack.RawMessage](value.MsgPack)
	channels := decoded[[]msgpack.RawMessage](object["channels"])
	if len(channels) == 0 {
		return value
	}
	for i, channel := range channels {
		attributes := decoded[map[string]msgpack.RawMessage](channel)
		if len(attributes) == 0 {
			continue
		}
		for name, attribute := range attributes {
			attributes[name] = change(attribute)
		}
		channels[i] = encoded(attributes)
	}
	object["channels"] = encoded(channels)
	return &tfprotov6.DynamicValue{MsgPack: encoded(object)}
}

func packCollection(value msgpack.RawMessage) msgpack.RawMessage {
	size := 0
	switch collection := decoded[any](value).(type) {
	case []any:
		for _, element := range collection {
			text, _ := element.(string)
			if strings.TrimSpace(text) == "" {
				return value
			}
			size += len(text)
		}
		if _, looksPacked := payload(collection); size >= packedSize || looksPacked {
			return encoded([]string{packedMark + string(encoded(collection))})
		}
	case map[string]any:
		for key, element := range collection {
			text, isString := element.(string)
			if !isString {
				return value
			}
			size += len(key) + len(text)
		}
		if _, looksPacked := payload(collection); size >= packedSize || looksPacked {
			return encoded(map[string]string{packedMark: string(encoded(collection))})
		}
	}
	return value
}

func unpackCollection(value msgpack.RawMessage) msgpack.RawMessage {
	if raw, ok := payload(decoded[any](value)); ok {
		return msgpack.RawMessage(raw)
	}
	return value
}

// payload returns what is packed in a collection, if it is packed.
func payload(collection any) (raw string, ok bool) {
	switch c := collection.(type) {
	case []any:
		if len(c) == 1 {
			text, _ := c[0].(string)
			return strings.CutPrefix(text, packedMark)
		}
	case map[string]any:
		if len(c) == 1 {
			raw, ok = c[packedMark].(string)
		}
	}
	return raw, ok
}

// unpackedList returns the strings of a list that may be packed. What cannot be unpacked is
// unknown, so that it is not submitted.
func unpackedList(list types.List) types.List {
	if len(list.Elements()) != 1 {
		return list
	}
	only, _ := list.Elements()[0].(types.String)
	raw, isPacked := strings.CutPrefix(only.ValueString(), packedMark)
	if !isPacked {
		return list
	}
	texts := decoded[[]string]([]byte(raw))
	if texts == nil {
		return types.ListUnknown(types.StringType)
	}
	elements := make([]attr.Value, len(texts))
	for i, text := range texts {
		elements[i] = types.StringValue(text)
	}
	return types.ListValueMust(types.StringType, elements)
}

// unpackedMap does the same for a map.
func unpackedMap(values types.Map) types.Map {
	only, isPacked := values.Elements()[packedMark].(types.String)
	if !isPacked || only.IsNull() || only.IsUnknown() || len(values.Elements()) != 1 {
		return values
	}
	texts := decoded[map[string]string]([]byte(only.ValueString()))
	if texts == nil {
		return types.MapUnknown(types.StringType)
	}
	elements := make(map[string]attr.Value, len(texts))
	for key, text := range texts {
		elements[key] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, elements)
}

// packStudies returns studies as they are encoded for Terraform, in a string.
func packStudies(studies tftypes.Value) (tftypes.Value, error) {
	value, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, studies)
	return tftypes.NewValue(tftypes.String, string(value.MsgPack)), err
}

// unpackStudies returns the state of a lookup with its studies unpacked.
func unpackStudies(state *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	if state == nil {
		return nil
	}
	object := decoded[map[string]msgpack.RawMessage](state.MsgPack)
	typeAndValue := decoded[[]msgpack.RawMessage](object["studies"])
	if len(typeAndValue) != 2 {
		return state // no studies
	}
	object["studies"] = msgpack.RawMessage(decoded[string](typeAndValue[1]))
	return &tfprotov6.DynamicValue{MsgPack: encoded(object)}
}

// decoded returns the zero value for what is null, unknown or of another type.
func decoded[T any](raw []byte) (value T) {
	decoder := msgpack.NewDecoder(bytes.NewReader(raw))
	decoder.UseLooseInterfaceDecoding(true) // text is text, however it is encoded
	if decoder.Decode(&value) != nil {
		return *new(T)
	}
	return value
}

// encoded encodes equal collections of strings equally: of them it sorts the keys.
func encoded(value any) msgpack.RawMessage {
	var buffer bytes.Buffer
	encoder := msgpack.NewEncoder(&buffer)
	encoder.SetSortMapKeys(true)
	_ = encoder.Encode(value) // strings and collections of them can be encoded
	return buffer.Bytes()
}
