#!/bin/sh
# Tests that verify.sh accepts a release, and notices what was tampered with in copies of it:
#
#	verify_test.sh [--unsigned] FOLDER VERSION PLATFORM...
set -eu
cd "$(dirname "$0")/../.."
signed=yes
if [ "$1" = --unsigned ]; then
	signed=
	shift
fi
release=$1 version=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/copy
sums=terraform-provider-notification_${version}_SHA256SUMS
archive=terraform-provider-notification_${version}_$1.zip
manifest=terraform-provider-notification_${version}_manifest.json
emulator=notification-emulator_${version}_$1.tar.gz

# again [FILE] makes a new copy, of which the file may be changed.
again() {
	rm -rf "$copy"
	mkdir "$copy"
	for each in "$release"/*; do
		[ ! -f "$each" ] || ln "$each" "$copy/" 2>/dev/null || cp "$each" "$copy/"
	done
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
	(cd "$work/unpacked" && "$@" && tar -czf "$work/packed.tar.gz" -- *)
	mv "$work/packed.tar.gz" "$copy/$emulator"
}

# rejects TEXT ARGUMENT... expects that verify.sh fails, with the text.
rejects() {
	text=$1
	shift
	if sh tools/release/verify.sh "$@" >"$work/log" 2>&1; then
		echo "verify.sh accepted a release of which $text" >&2
		exit 1
	fi
	grep -qF ": $text" "$work/log" || {
		cat "$work/log" >&2
		echo "verify.sh did not say: $text" >&2
		exit 1
	}
}

again
# Without the signature, the same release passes unsigned, so that the rest can be looked at.
rm -f "$copy/$sums.sig"
sh tools/release/verify.sh --unsigned "$copy" "$version" "$@"
rejects "no platform was named" --unsigned "$copy" "$version"
rejects "it has other files" --unsigned "$copy" "$version" "$@" plan9_amd64
rejects "it has other files" --unsigned "$copy" 99.9.9 "$@"

again "$archive"
rm -f "$copy/$sums.sig"
printf x >>"$copy/$archive"
rejects "the checksums are wrong" --unsigned "$copy" "$version" "$@"
: >"$copy/$archive"
sum_again
rejects "$archive cannot be unpacked" --unsigned "$copy" "$version" "$@"
rm "$copy/$archive"
rejects "it has other files" --unsigned "$copy" "$version" "$@"

again "$sums"
rm -f "$copy/$sums.sig"
sed "/$archive\$/d" "$copy/$sums" >"$copy/new" && mv "$copy/new" "$copy/$sums"
rejects "the checksums are those of other files" --unsigned "$copy" "$version" "$@"

again "$manifest"
rm -f "$copy/$sums.sig"
sed 's/6\.0/5.0/' "$copy/$manifest" >"$copy/new" && mv "$copy/new" "$copy/$manifest"
sum_again
rejects "the manifest is wrong" --unsigned "$copy" "$version" "$@"

again "$emulator"
rm -f "$copy/$sums.sig"
repack rm THIRD_PARTY_NOTICES.txt
rejects "$emulator has other files" --unsigned "$copy" "$version" "$@"
again "$emulator"
rm -f "$copy/$sums.sig"
repack sh -c 'echo >>LICENSE'
rejects "$emulator has another LICENSE" --unsigned "$copy" "$version" "$@"
case $1 in
windows_*) ;; # a script is no program there
"$(go env GOOS)_$(go env GOARCH)")
	again "$emulator"
	rm -f "$copy/$sums.sig"
	repack sh -c 'printf "#!/bin/sh\necho notification-emulator 99.9.9\n" >notification-emulator'
	rejects "notification-emulator is notification-emulator 99.9.9" \
		--unsigned "$copy" "$version" "$@"
	;;
esac

if [ -n "$signed" ]; then
	again
	sh tools/release/verify.sh "$copy" "$version" "$@"
	rm "$copy/$sums.sig"
	rejects "it has other files" "$copy" "$version" "$@"
	again "$sums.sig"
	printf x >"$copy/$sums.sig"
	rejects "the signature is wrong" "$copy" "$version" "$@"
	again "$manifest" "$sums"
	echo >>"$copy/$manifest"
	sum_again
	rejects "the signature is wrong" "$copy" "$version" "$@"
fi
