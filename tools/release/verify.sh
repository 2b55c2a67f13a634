#!/bin/sh
# Fails unless a folder holds a release as the registries and docs/guides/installing.md expect it:
#
#	verify.sh [--unsigned] FOLDER VERSION PLATFORM...
#
# Looks at the names, the checksums, their signature, the manifest, the SBOMs where there are any,
# and what is in the archives. Of the programs for this machine it asks the version.
set -eu
cd "$(dirname "$0")/../.."
signed=yes
if [ "$1" = --unsigned ]; then
	signed=
	shift
fi
release=$1 version=$2
shift 2
name=terraform-provider-notification_$version
emulator=notification-emulator_$version
sums=${name}_SHA256SUMS
manifest=${name}_manifest.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "Release $version: $1." >&2
	exit 1
}

# A registry takes every archive for the provider, and reads what is in the sums.
check_names() {
	for each; do
		echo "${name}_$each.zip"
	done | sort >"$work/archives"
	for each; do
		echo "${emulator}_$each.tar.gz"
	done >"$work/emulators"
	(cd "$release" && find . -maxdepth 1 -name '*.sbom.json') | sed 's,^\./,,' >"$work/sboms"
	[ ! -s "$work/sboms" ] || sed 's/$/.sbom.json/' "$work/archives" | sort >"$work/sboms"
	{
		cat "$work/archives" "$work/sboms"
		echo "$manifest"
	} | sort >"$work/summed"
	{
		cat "$work/summed" "$work/emulators"
		echo "$sums"
		[ -z "$signed" ] || echo "$sums.sig"
	} | sort >"$work/names"
	(cd "$release" && find . -maxdepth 1 -type f \
		\( -name 'terraform-provider-*' -o -name 'notification-emulator*' \)) |
		sed 's,^\./,,' | sort | diff "$work/names" - >&2 || fail "it has other files"
	sed 's/.*  //' "$release/$sums" | sort | diff "$work/summed" - >&2 ||
		fail "the checksums are those of other files"
}

check_sums() {
	(cd "$release" && sha256sum --check --strict --quiet "$sums") >&2 ||
		fail "the checksums are wrong"
	[ -z "$signed" ] ||
		gpg --batch --quiet --verify "$release/$sums.sig" "$release/$sums" 2>"$work/log" || {
		cat "$work/log" >&2
		fail "the signature is wrong"
	}
	cmp "$release/$manifest" terraform-registry-manifest.json >&2 &&
		grep -q '"protocol_versions": \["6.0"\]' "$release/$manifest" ||
		fail "the manifest is wrong"
}

# What syft finds in a binary of Go is what the binary was built from.
check_sboms() {
	while read -r sbom; do
		for text in 'Tool: syft-[0-9]' github.com/hashicorp/terraform-plugin-framework MPL-2.0; do
			grep -q "$text" "$release/$sbom" || fail "$sbom lacks $text"
		done
	done <"$work/sboms"
}

# check_archive ARCHIVE PROGRAM unpacks the archive.
check_archive() {
	rm -rf "$work/archive"
	mkdir "$work/archive"
	case $1 in
	*.zip) unzip -q "$release/$1" -d "$work/archive" ;;
	*) tar -xzf "$release/$1" -C "$work/archive" ;;
	esac || fail "$1 cannot be unpacked"
	printf '%s\n' LICENSE THIRD_PARTY_NOTICES.txt "$2" | sort >"$work/expected"
	ls "$work/archive" | sort | diff "$work/expected" - >&2 || fail "$1 has other files"
	for each in LICENSE THIRD_PARTY_NOTICES.txt; do
		cmp "$work/archive/$each" "$each" >&2 || fail "$1 has another $each"
	done
}

# check_program PROGRAM PLATFORM VERSION
check_program() {
	[ "$2" = "$(go env GOOS)_$(go env GOARCH)" ] || return 0
	printed=$("$work/archive/$1" --version) || fail "$1 does not start"
	[ "$printed" = "$3" ] || fail "$1 is $printed"
}

[ $# -gt 0 ] || fail "no platform was named"
command -v unzip >/dev/null || fail "unzip is not installed, so that no archive can be checked"
check_names "$@"
check_sums
check_sboms
for platform; do
	case $platform in windows_*) exe=.exe ;; *) exe= ;; esac
	check_archive "${name}_$platform.zip" "terraform-provider-notification_v$version$exe"
	check_program "terraform-provider-notification_v$version$exe" "$platform" \
		"terraform-provider-notification $version"
	check_archive "${emulator}_$platform.tar.gz" "notification-emulator$exe"
	check_program "notification-emulator$exe" "$platform" "notification-emulator $version"
done
