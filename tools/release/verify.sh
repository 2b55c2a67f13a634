#!/bin/sh
# Fails unless a folder holds a release as the registries and docs/guides/installing.md expect it:
#
#	verify.sh [--signer FINGERPRINT] [--sboms] FOLDER VERSION PLATFORM...
#
# Looks at the names, the checksums, the manifest and what is in the archives; with --signer at the
# signature, which must be that key's; with --sboms at the SBOMs. Of the programs for this machine it
# asks the version.
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
emulator=notification-emulator_$version
sums=${name}_SHA256SUMS
manifest=${name}_manifest.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

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
	: >"$work/sboms"
	[ -z "$sboms" ] || sed 's/$/.sbom.json/' "$work/archives" >"$work/sboms"
	{
		cat "$work/archives" "$work/sboms"
		echo "$manifest"
	} | sort >"$work/summed"
	{
		cat "$work/summed" "$work/emulators"
		echo "$sums"
		[ -z "$signer" ] || echo "$sums.sig"
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
}

# The registries take a binary signature, and Terraform's takes RSA (1) and DSA (17).
check_signature() {
	[ -n "$signer" ] || return 0
	gpg --batch --status-fd 1 --verify "$release/$sums.sig" "$release/$sums" \
		>"$work/status" 2>"$work/log" || {
		cat "$work/log" >&2
		fail "the signature is wrong"
	}
	grep -q '^\[GNUPG:\] GOODSIG ' "$work/status" || fail "the signature is by an expired key"
	awk -v signer="$signer" '$2 == "VALIDSIG" && ($3 == signer || $NF == signer) {
		found = 1
		exit $9 != 1 && $9 != 17
	}
	END { if (!found) exit 2 }' "$work/status" || fail "the signature is by another key, or not RSA"
	! grep -q 'BEGIN PGP' "$release/$sums.sig" || fail "the signature is not binary"
}

check_manifest() {
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
	ls -A "$work/archive" | sort | diff "$work/expected" - >&2 || fail "$1 has other files"
	for each in LICENSE THIRD_PARTY_NOTICES.txt; do
		cmp "$work/archive/$each" "$each" >&2 || fail "$1 has another $each"
	done
}

# check_program PROGRAM PLATFORM VERSION
check_program() {
	go version -m "$work/archive/$1" 2>"$work/log" | sed -nE 's/^	build	GO(OS|ARCH)=//p' |
		sort >"$work/built"
	printf '%s\n' "${2%_*}" "${2#*_}" | sort | cmp -s "$work/built" - ||
		fail "$1 is not a program for $2"
	[ "$2" = "$(go env GOHOSTOS)_$(go env GOHOSTARCH)" ] || return 0
	printed=$("$work/archive/$1" --version) || fail "$1 does not start"
	[ "$printed" = "$3" ] || fail "$1 is $printed"
}

[ $# -gt 0 ] || fail "no platform was named"
command -v unzip >/dev/null || fail "unzip is not installed, so that no archive can be checked"
check_names "$@"
check_sums
check_signature
check_manifest
check_sboms
for platform; do
	case $platform in windows_*) exe=.exe ;; *) exe= ;; esac
	check_archive "${name}_$platform.zip" "terraform-provider-notification_v$version$exe"
	check_program "terraform-provider-notification_v$version$exe" "$platform" \
		"terraform-provider-notification $version"
	check_archive "${emulator}_$platform.tar.gz" "notification-emulator$exe"
	check_program "notification-emulator$exe" "$platform" "notification-emulator $version"
done
