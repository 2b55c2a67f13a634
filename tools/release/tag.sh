#!/bin/sh
# Fails unless the checked-out commit can be released under a tag:
#
#	tag.sh TAG
#
# The tag must be "v" and the VERSION in GNUmakefile, and point to this commit, which must be in
# origin/main. CHANGELOG.md must have a section for the version, with a date.
set -eu
cd "$(dirname "$0")/../.."
tag=$1
version=$(sed -n 's/^VERSION *:= *//p' GNUmakefile)

fail() {
	echo "$tag cannot be released: $1." >&2
	exit 1
}

sh tools/release/version.sh "$version" || fail "that is the VERSION in GNUmakefile"
[ "$tag" = "v$version" ] || fail "the VERSION in GNUmakefile is $version"
commit=$(git rev-parse --verify --quiet "refs/tags/$tag^{commit}") || fail "there is no such tag"
[ "$commit" = "$(git rev-parse HEAD)" ] || fail "another commit is checked out"
git merge-base --is-ancestor HEAD refs/remotes/origin/main 2>/dev/null ||
	fail "its commit is not on the main of origin"
sh tools/release/notes.sh "$version" >/dev/null || fail "CHANGELOG.md is not ready"
