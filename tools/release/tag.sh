#!/bin/sh
# Fails unless the checked-out commit can be released under a tag, since a tag is never moved:
#
#	tag.sh TAG
set -eu
cd "$(dirname "$0")/../.."
tag=$1
version=$(sed -n 's/^VERSION *:= *//p' GNUmakefile)

fail() {
	echo "$tag cannot be released: $1." >&2
	exit 1
}

number='(0|[1-9][0-9]*)' identifier='(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)'
echo "$tag" | grep -qE "^v$number\.$number\.$number(-$identifier(\.$identifier)*)?\$" ||
	fail "it is not a version such as v1.2.3 or v1.2.3-rc.1"
[ "$tag" = "v$version" ] || fail "the VERSION in GNUmakefile is $version"
[ "$(git rev-parse --quiet --verify "refs/tags/$tag^{commit}")" = "$(git rev-parse HEAD)" ] ||
	fail "it is no tag of the commit that is checked out"
git merge-base --is-ancestor HEAD refs/remotes/origin/main || fail "it is not on main of origin"
grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" CHANGELOG.md ||
	fail "CHANGELOG.md has no section for it with a date"
