#!/bin/sh
# Publishes a release on GitHub, with gh, from the folder that verify.sh accepted:
#
#	publish.sh FOLDER VERSION
#
# The release is a draft until all of its files are there: afterwards, none can be added to an
# immutable release. The tag must exist. What is left of a run that failed is replaced.
set -eu
cd "$(dirname "$0")/../.."
release=$1 version=$2
tag=v$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "$1" >&2
	exit 1
}

sh tools/release/notes.sh "$version" >"$work/notes.md"
if draft=$(gh release view "$tag" --json isDraft --jq .isDraft 2>"$work/error"); then
	[ "$draft" = true ] || fail "The release $tag is already published."
	gh release delete "$tag" --yes
elif ! grep -q 'release not found' "$work/error"; then
	cat "$work/error" >&2
	fail "It is not known whether there is a release $tag."
fi
set -- "$release/terraform-provider-notification_$version"_* \
	"$release/notification-emulator_$version"_*
case $version in *-*) set -- --prerelease "$@" ;; esac
newest=$(git tag --list 'v*' --sort=-version:refname | sed '/-/d' | head -n 1)
gh release create "$tag" --draft --verify-tag --title "$tag" --notes-file "$work/notes.md" "$@"
case $newest in
"$tag" | "") gh release edit "$tag" --draft=false ;;
*) gh release edit "$tag" --draft=false --latest=false ;; # a patch of an older line
esac
