package ledger

import "testing"

// A key that was free and is released without an acceptance is free for the next hold, too.
func TestHoldTwice(t *testing.T) {
	t.Parallel()
	b := NewBook(0)
	first := &Record{Key: "k"}
	second := &Record{Key: "k"}
	b.Hold(first)
	b.Hold(second)
	b.Release(second) // does not have it
	if _, err := b.Repeat(second, nil); err == nil {
		t.Error("a key that is held is free")
	}
	b.Release(first)
	b.Hold(second)
	if _, err := b.Repeat(first, nil); err == nil {
		t.Error("the key is not held a second time")
	}
}
