#!/bin/sh
# Builds a release for one platform from the working tree, without publishing it:
#
#	dist.sh FOLDER GORELEASER VERSION PLATFORM
#
# If GPG_FINGERPRINT is set, its key signs the checksums.
set -eu
cd "$(dirname "$0")/../.."
folder=$1 goreleaser=$2 version=$3 platform=$4
skip=sbom
[ -n "${GPG_FINGERPRINT:-}" ] || skip=sbom,sign
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

grep -qx "      - $platform" .goreleaser.yml || {
	echo "There is no release for $platform: it is not in .goreleaser.yml." >&2
	exit 1
}
{
	sed "/^      - [a-z]*_[a-z0-9]*\$/{/ $platform\$/!d;}" .goreleaser.yml
	echo "dist: $folder"
} >"$work/config.yml"
VERSION=$version "$goreleaser" release --snapshot --clean --skip="$skip" \
	--config "$work/config.yml" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}

ls -d "$folder"/*_*.zip "$folder"/*_*.tar.gz "$folder"/*SUMS*
