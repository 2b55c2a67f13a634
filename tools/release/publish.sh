#!/bin/sh
# Publishes a release on GitHub, with gh, from a folder that verify.sh has accepted:
#
#	publish.sh FOLDER VERSION
#
# The tag must exist. gh keeps the release a draft until it has all files, since an immutable
# release accepts no more, and rejects a version that was already published. The draft of a failed
# run is deleted first.
set -eu
cd "$(dirname "$0")/../.."
release=$1 version=$2
tag=v$version
notes=$(sh tools/release/notes.sh "$version")

[ "$(gh release view "$tag" --json isDraft --jq .isDraft || true)" != true ] ||
	gh release delete "$tag" --yes
set -- "$release/terraform-provider-notification_$version"_* \
	"$release/notification-emulator_$version"_*
case $version in *-*) set -- --prerelease "$@" ;; esac
newest=$(git tag --list 'v*' --sort=-version:refname | sed '/-/d' | head -n 1)
[ "$newest" = "$tag" ] || set -- --latest=false "$@" # such as a patch of an older minor version
gh release create "$tag" --verify-tag --title "$tag" --notes "$notes" "$@"
