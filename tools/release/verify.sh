#!/bin/sh
# Fails unless a folder holds a release as the registries and docs/guides/installing.md expect it:
#
#	verify.sh [--signer FINGERPRINT] [--sboms] FOLDER VERSION PLATFORM...
#
# It checks the names, the checksums, the manifest and the contents of the archives, the version
# that this machine's programs print, and with --signer that this key signed the release.
set -eu
cd "$(dirname "$0")/../.."
signer= sboms=
while :; do
	case $1 in
	--signer) signer=$2 && shift 2 ;;
	--sboms) sboms=yes && shift ;;
	*) break ;;
	esac
done
release=$1 version=$2
shift 2
name=terraform-provider-notification_$version
sums=${name}_SHA256SUMS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "Release $version: $1." >&2
	exit 1
}

# A registry takes every file with the provider's name, and reads the files in the checksums.
check_names() {
	for platform; do
		echo "${name}_$platform.zip"
		[ -z "$sboms" ] || echo "${name}_$platform.zip.sbom.json"
	done >"$work/names"
	echo "${name}_manifest.json" >>"$work/names"
	sort "$work/names" >"$work/summed"
	sed 's/.*  //' "$release/$sums" | sort | diff "$work/summed" - >&2 ||
		fail "the checksums are those of other files"
	for platform; do
		echo "notification-emulator_${version}_$platform.tar.gz"
	done >>"$work/names"
	echo "$sums${signer:+
$sums.sig}" >>"$work/names"
	(cd "$release" && find . -maxdepth 1 -type f -name '*_*') | sed 's,^\./,,' | sort >"$work/found"
	sort "$work/names" | diff - "$work/found" >&2 || fail "it has other files"
}

# Terraform's registry accepts RSA (1) and DSA (17) keys.
check_signature() {
	gpg --batch --status-fd 1 --verify "$release/$sums.sig" "$release/$sums" \
		>"$work/status" 2>"$work/log" && grep -q '^\[GNUPG:\] GOODSIG ' "$work/status" || {
		cat "$work/log" >&2
		fail "the signature is wrong, or its key has expired"
	}
	awk -v signer="$signer" '$2 == "VALIDSIG" && ($3 == signer || $NF == signer) &&
		($9 == 1 || $9 == 17) { found = 1 }
		END { exit !found }' "$work/status" || fail "the signature is by another key, or not RSA"
}

# check_archive ARCHIVE PROGRAM PRINTED
check_archive() {
	rm -rf "$work/archive"
	mkdir "$work/archive"
	case $1 in
	*.zip) unzip -q "$release/$1" -d "$work/archive" ;;
	*) tar -xzf "$release/$1" -C "$work/archive" ;;
	esac || fail "$1 cannot be unpacked"
	printf '%s\n' LICENSE THIRD_PARTY_NOTICES.txt "$2" | sort >"$work/expected"
	ls -A "$work/archive" | sort | diff "$work/expected" - >&2 || fail "$1 has other files"
	cmp "$work/archive/LICENSE" LICENSE >&2 || fail "$1 has another LICENSE"
	go version -m "$work/archive/$2" >"$work/built" || fail "$2 is not a program of Go"
	for module in $(awk '$1 == "dep" { print $2 }' "$work/built"); do
		grep -qF "$module: https://" "$work/archive/THIRD_PARTY_NOTICES.txt" ||
			fail "THIRD_PARTY_NOTICES.txt in $1 lacks $module: see tools/notices.sh"
	done
	[ "$platform" = "$(go env GOHOSTOS)_$(go env GOHOSTARCH)" ] || return 0
	printed=$("$work/archive/$2" --version) || fail "$2 does not start"
	[ "$printed" = "$3" ] || fail "$2 is $printed"
}

check_names "$@"
(cd "$release" && sha256sum --check --strict --quiet "$sums") >&2 || fail "the checksums are wrong"
[ -z "$signer" ] || check_signature
cmp "$release/${name}_manifest.json" terraform-registry-manifest.json >&2 ||
	fail "the manifest is wrong"
for platform; do
	case $platform in windows_*) exe=.exe ;; *) exe= ;; esac
	check_archive "${name}_$platform.zip" "terraform-provider-notification_v$version$exe" \
		"terraform-provider-notification $version"
	check_archive "notification-emulator_${version}_$platform.tar.gz" "notification-emulator$exe" \
		"notification-emulator $version"
done
