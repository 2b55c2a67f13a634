#!/bin/sh
# Fails unless the commit that is checked out may be released under a tag:
#
#	tag.sh TAG
#
# The tag must be v and the VERSION of GNUmakefile, point to this commit, and be in the history of
# main, as the remote origin has it; CHANGELOG.md must have a section for it, with a date. The tag
# must have a good signature, made for this name. This says so where git does not know the key; and
# where CI is set, if there is no signature: git may fetch a tag there without it.
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
changed=$(git status --short)
[ -z "$changed" ] || {
	echo "$changed" >&2
	fail "files were changed"
}
name=$(git cat-file tag "$tag" 2>/dev/null | sed -n 's/^tag //p; /^$/q')
[ "${name:-$tag}" = "$tag" ] || fail "that is another name of the tag $name"
if ! signature=$(LC_ALL=C git verify-tag --raw "$tag" 2>&1); then
	case $signature in
	*BADSIG* | *EXPSIG* | *EXPKEYSIG* | *REVKEYSIG* | *"incorrect signature"*)
		fail "its signature is wrong: $signature"
		;;
	*ERRSIG* | *'Good "git" signature'* | *allowedSignersFile* | *"cannot run"*)
		echo "The signature of $tag was not checked: $signature" >&2
		;;
	*)
		[ -n "${CI:-}" ] || fail "it is not signed: $signature"
		echo "$tag is not signed here: $signature" >&2
		;;
	esac
fi
sh tools/release/notes.sh "$version" >/dev/null || fail "CHANGELOG.md is not ready"
