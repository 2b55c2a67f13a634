#!/bin/sh
# Builds the files of a release from the working tree, but does not sign or publish them:
#
#	build.sh FOLDER GORELEASER VERSION [PLATFORM]
#
# Without PLATFORM, it builds for every platform, with SBOMs by syft, which must be on PATH.
set -eu
cd "$(dirname "$0")/../.."
folder=$1 goreleaser=$2 version=$3 platform=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

sh tools/release/version.sh "$version"
[ -z "$platform" ] || sh tools/release/platforms.sh | grep -qx "$platform" || {
	echo "There is no release for $platform: it is not in .goreleaser.yml." >&2
	exit 1
}
{
	sed "/^      - [a-z]*_[a-z0-9]*\$/{/ ${platform:-.*}\$/!d;}" .goreleaser.yml
	echo "dist: $folder"
} >"$work/config.yml"
VERSION=$version "$goreleaser" release --snapshot --clean ${platform:+--skip=sbom} \
	--config "$work/config.yml" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
cp terraform-registry-manifest.json \
	"$folder/terraform-provider-notification_${version}_manifest.json"
