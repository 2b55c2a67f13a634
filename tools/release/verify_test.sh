#!/bin/sh
# Tests that verify.sh detects tampering, in copies of a signed release:
#
#	verify_test.sh --signer FINGERPRINT [--sboms] FOLDER VERSION PLATFORM...
set -eu
cd "$(dirname "$0")/../.."
signer=$2
shift 2
sboms=
if [ "$1" = --sboms ]; then
	sboms=--sboms
	shift
fi
release=$1 version=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
copy=$work/copy
sums=terraform-provider-notification_${version}_SHA256SUMS
archive=terraform-provider-notification_${version}_$1.zip
emulator=notification-emulator_${version}_$1.tar.gz

again() {
	rm -rf "$copy"
	mkdir "$copy"
	cp "$release"/*_* "$copy/" 2>/dev/null || true # fails for folders, which are not needed
}

# repack COMMAND... runs COMMAND in the contents of the emulator's archive.
repack() {
	rm -rf "$work/unpacked"
	mkdir "$work/unpacked"
	tar -xzf "$copy/$emulator" -C "$work/unpacked"
	(cd "$work/unpacked" && "$@")
	tar -czf "$copy/$emulator" -C "$work/unpacked" .
}

# rejects TEXT PLATFORM... expects verify.sh to fail and to print TEXT.
rejects() {
	text=$1
	shift
	# shellcheck disable=SC2086 # no word if empty
	if sh tools/release/verify.sh --signer "$signer" $sboms "$copy" "$version" "$@" \
		>"$work/log" 2>&1; then
		echo "verify.sh accepted a release that it should reject with: $text" >&2
		exit 1
	fi
	grep -qF "$text" "$work/log" || {
		cat "$work/log" >&2
		echo "verify.sh did not say: $text" >&2
		exit 1
	}
}

again
printf x >>"$copy/$archive"
rejects "the checksums are wrong" "$@"
rm "$copy/$archive"
rejects "it has other files" "$@"
again
rejects "the checksums are those of other files" "$@" plan9_amd64
again
rm "$copy/$sums.sig"
rejects "it has other files" "$@"
printf x >"$copy/$sums.sig"
rejects "the signature is wrong" "$@"
again
(cd "$copy" && echo >>"${archive%_*_*}_manifest.json" &&
	sed 's/.*  //' "$sums" | xargs sha256sum >new && mv new "$sums")
rejects "the signature is wrong" "$@"

again
repack rm THIRD_PARTY_NOTICES.txt
rejects "$emulator has other files" "$@"
again
repack touch .hidden
rejects "$emulator has other files" "$@"
again
repack cp THIRD_PARTY_NOTICES.txt LICENSE
rejects "$emulator has another LICENSE" "$@"
again
repack cp LICENSE notification-emulator
rejects "is not a program of Go" "$@"
again
go build -o "$work/other" -ldflags "-X main.version=99.9.9" ./internal/cmd/notification-emulator
repack cp "$work/other" notification-emulator
rejects "is notification-emulator 99.9.9" "$@"
again
go build -o "$work/other" .
repack cp "$work/other" notification-emulator
repack cp LICENSE THIRD_PARTY_NOTICES.txt
rejects "THIRD_PARTY_NOTICES.txt in $emulator lacks github.com/" "$@"

# sign ALGORITHM signs with a new key, $key.
sign() {
	again
	gpg --batch --quiet --passphrase '' --quick-generate-key "$1@example.com" "$1" sign never
	key=$(gpg --batch --list-keys --with-colons "$1@example.com" 2>/dev/null |
		awk -F: '/^fpr/ { print $10 }')
	sh tools/release/sign.sh "$copy" "$version" "$key"
}
sign rsa3072
rejects "the signature is by another key, or not RSA" "$@"
sign ed25519
signer=$key
rejects "the signature is by another key, or not RSA" "$@"
