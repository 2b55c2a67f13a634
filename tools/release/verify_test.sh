#!/bin/sh
# Tests that verify.sh accepts a release, and notices what was tampered with in copies of it:
#
#	verify_test.sh [--signer FINGERPRINT] [--sboms] FOLDER VERSION PLATFORM...
set -eu
cd "$(dirname "$0")/../.."
signer= sboms=
while :; do
	case $1 in
	--signer) signer=$2 && shift 2 ;;
	--sboms) sboms=--sboms && shift ;;
	*) break ;;
	esac
done
release=$1 version=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
copy=$work/copy
sums=terraform-provider-notification_${version}_SHA256SUMS
archive=terraform-provider-notification_${version}_$1.zip
manifest=terraform-provider-notification_${version}_manifest.json
emulator=notification-emulator_${version}_$1.tar.gz

# again FILE... makes a new copy without its signature, of which the files may be changed.
again() {
	rm -rf "$copy"
	mkdir "$copy"
	for each in "$release"/*; do
		[ ! -f "$each" ] || ln "$each" "$copy/" 2>/dev/null || cp "$each" "$copy/"
	done
	rm -f "$copy/$sums.sig"
	for each; do
		cp "$copy/$each" "$copy/new" && mv "$copy/new" "$copy/$each"
	done
}

sum_again() {
	(cd "$copy" && sed 's/.*  //' "$sums" | tr '\n' '\0' | xargs -0 sha256sum >new && mv new "$sums")
}

# repack COMMAND... changes what is in the emulator's archive.
repack() {
	rm -rf "$work/unpacked"
	mkdir "$work/unpacked"
	tar -xzf "$copy/$emulator" -C "$work/unpacked"
	(cd "$work/unpacked" && "$@" && tar -czf "$work/packed.tar.gz" -- $(ls -A))
	mv "$work/packed.tar.gz" "$copy/$emulator"
}

# fingerprint ADDRESS prints that of a key.
fingerprint() {
	gpg --batch --list-keys --with-colons "$1" 2>/dev/null | awk -F: '/^fpr/ { print $10; exit }'
}

# rejects TEXT ARGUMENT... expects that verify.sh fails, with the text.
rejects() {
	text=$1
	shift
	if sh tools/release/verify.sh "$@" >"$work/log" 2>&1; then
		echo "verify.sh accepted a release of which $text" >&2
		exit 1
	fi
	grep -qF "$text" "$work/log" || {
		cat "$work/log" >&2
		echo "verify.sh did not say: $text" >&2
		exit 1
	}
}

# shellcheck disable=SC2086 # no word if it is empty
again
sh tools/release/verify.sh $sboms "$copy" "$version" "$@"
rejects "no platform was named" $sboms "$copy" "$version"
rejects "it has other files" $sboms "$copy" "$version" "$@" plan9_amd64
rejects "it has other files" $sboms "$copy" 99.9.9 "$@"

again "$archive"
printf x >>"$copy/$archive"
rejects "the checksums are wrong" $sboms "$copy" "$version" "$@"
: >"$copy/$archive"
sum_again
rejects "$archive cannot be unpacked" $sboms "$copy" "$version" "$@"
rm "$copy/$archive"
rejects "it has other files" $sboms "$copy" "$version" "$@"

again "$sums"
sed "/$archive\$/d" "$copy/$sums" >"$copy/new" && mv "$copy/new" "$copy/$sums"
rejects "the checksums are those of other files" $sboms "$copy" "$version" "$@"

again "$manifest"
sed 's/6\.0/5.0/' "$copy/$manifest" >"$copy/new" && mv "$copy/new" "$copy/$manifest"
sum_again
rejects "the manifest is wrong" $sboms "$copy" "$version" "$@"

again "$emulator"
repack rm THIRD_PARTY_NOTICES.txt
rejects "$emulator has other files" $sboms "$copy" "$version" "$@"
again "$emulator"
repack sh -c 'echo >>LICENSE'
rejects "$emulator has another LICENSE" $sboms "$copy" "$version" "$@"
again "$emulator"
repack sh -c ': >.hidden'
rejects "$emulator has other files" $sboms "$copy" "$version" "$@"
again "$emulator"
repack sh -c 'for each in notification-emulator*; do : >"$each"; done'
rejects "is not a program for $1" $sboms "$copy" "$version" "$@"
again "$emulator"
printf 'package main\n\nfunc main() {}\n' >"$work/other.go"
GOOS=plan9 GOARCH=386 go build -o "$work/other" "$work/other.go"
repack sh -c 'for each in notification-emulator*; do cp "$0" "$each"; done' "$work/other"
rejects "is not a program for $1" $sboms "$copy" "$version" "$@"
if [ "$1" = "$(go env GOHOSTOS)_$(go env GOHOSTARCH)" ]; then
	go build -o "$work/other" -ldflags "-X main.version=99.9.9" ./internal/cmd/notification-emulator
	again "$emulator"
	repack sh -c 'for each in notification-emulator*; do cp "$0" "$each"; done' "$work/other"
	rejects "is notification-emulator 99.9.9" $sboms "$copy" "$version" "$@"
fi

if [ -n "$sboms" ]; then
	again
	rejects "it has other files" "$copy" "$version" "$@"
	for each in "$copy"/*.sbom.json; do
		rm "$each"
	done
	rejects "it has other files" --sboms "$copy" "$version" "$@"
fi

if [ -n "$signer" ]; then
	again
	cp "$release/$sums.sig" "$copy/"
	sh tools/release/verify.sh --signer "$signer" $sboms "$copy" "$version" "$@"
	rejects "the signature is by another key, or not RSA" \
		--signer 0123456789ABCDEF0123456789ABCDEF01234567 $sboms "$copy" "$version" "$@"
	rm "$copy/$sums.sig"
	rejects "it has other files" --signer "$signer" $sboms "$copy" "$version" "$@"
	gpg --batch --armor --local-user "$signer" --output "$copy/$sums.sig" --detach-sign "$copy/$sums"
	rejects "the signature is not binary" --signer "$signer" $sboms "$copy" "$version" "$@"
	printf x >"$copy/$sums.sig"
	rejects "the signature is wrong" --signer "$signer" $sboms "$copy" "$version" "$@"
	again "$manifest" "$sums"
	cp "$release/$sums.sig" "$copy/"
	echo >>"$copy/$manifest"
	sum_again
	rejects "the signature is wrong" --signer "$signer" $sboms "$copy" "$version" "$@"

	again
	gpg --batch --quiet --passphrase '' --quick-generate-key other@example.com ed25519 sign never
	other=$(fingerprint other@example.com)
	sh tools/release/sign.sh "$copy" "$version" "$other"
	for each in "$signer" "$other"; do
		rejects "the signature is by another key, or not RSA" \
			--signer "$each" $sboms "$copy" "$version" "$@"
	done

	again
	past=--faked-system-time=20200101T000000
	gpg --batch --quiet $past --passphrase '' --quick-generate-key old@example.com rsa3072 sign 1d
	other=$(fingerprint old@example.com)
	gpg --batch --quiet $past --local-user "$other" --output "$copy/$sums.sig" --detach-sign "$copy/$sums"
	rejects "the signature is by an expired key" --signer "$other" $sboms "$copy" "$version" "$@"
fi
