package ledger

import (
	"crypto/sha256"
	"errors"
)

// Why a submission under an idempotency key is rejected.
var (
	ErrKeyHeld   = errors.New("the first request with this idempotency key is still being served")
	ErrKeyReused = errors.New("this idempotency key was used with another body")
)

// keyUse is the first submission under an idempotency key; zero: the key is free. It outlives its
// record, so that the limit of the ledger does not make a repetition a second notification.
type keyUse struct {
	holder *Record           // nil once the request was served
	body   [sha256.Size]byte // a digest
	id     string            // of the notification
}

// Repeat returns the id of the notification that was accepted under the idempotency key of a
// record, which then counts as a repetition; or "" where the key is free, or there is none.
func (b *Book) Repeat(record *Record, body []byte) (id string, err error) {
	switch use := b.keys[record.Key]; {
	case use == keyUse{}:
		return "", nil
	case use.holder != nil:
		return "", ErrKeyHeld
	case use.body != sha256.Sum256(body):
		return "", ErrKeyReused
	default:
		record.RepetitionOf = use.id
		b.Counts.Repetitions++
		return use.id, nil
	}
}

// Hold keeps the idempotency key of a record, where it is free, from others until Release, although
// nothing is accepted.
func (b *Book) Hold(record *Record) {
	if key := record.Key; key != "" && b.keys[key] == (keyUse{}) {
		b.keys[key] = keyUse{holder: record}
	}
}

// Release ends the hold of a record on its idempotency key, which is free again where nothing was
// accepted.
func (b *Book) Release(record *Record) {
	if use := b.keys[record.Key]; use.holder == record {
		use.holder = nil
		b.keys[record.Key] = use
	}
}
