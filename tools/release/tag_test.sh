#!/bin/sh
# Tests tag.sh in a temporary repository.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2046 # one word for each variable
unset $(git rev-parse --local-env-vars)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=check GIT_AUTHOR_EMAIL=check@example.com
export GIT_COMMITTER_NAME=check GIT_COMMITTER_EMAIL=check@example.com

rejects() {
	if sh tools/release/tag.sh "$2" 2>"$work/error"; then
		echo "tag.sh accepted $2, but $1" >&2
		exit 1
	fi
	grep -qF "$1" "$work/error" || {
		cat "$work/error" >&2
		echo "tag.sh did not say: $1" >&2
		exit 1
	}
}
# commit BRANCH commits all files and moves the tag there, and origin/main too if BRANCH is main.
commit() {
	git add --all
	git commit --quiet --message check
	git tag --force v1.2.3 >"$work/log"
	[ "$1" != main ] || git update-ref refs/remotes/origin/main HEAD
}

mkdir -p "$work/copy/tools/release"
cp tools/release/tag.sh tools/release/notes.sh tools/release/version.sh "$work/copy/tools/release/"
cd "$work/copy"
echo 'VERSION  := 1.2.3' >GNUmakefile
printf '# Changelog\n\n## [1.2.3] - 2026-01-02\n\nNews.\n' >CHANGELOG.md
git -c init.defaultBranch=main init --quiet
commit main
sh tools/release/tag.sh v1.2.3

rejects "the VERSION in GNUmakefile is 1.2.3" v1.2.4
git commit --quiet --allow-empty --message later
rejects "another commit is checked out" v1.2.3
git tag --delete v1.2.3 >"$work/log"
rejects "there is no such tag" v1.2.3
echo more >more
commit other
rejects "its commit is not on the main of origin" v1.2.3
printf '# Changelog\n\n## [1.2.3] - Unreleased\n\nNews.\n' >CHANGELOG.md
commit main
rejects "CHANGELOG.md is not ready" v1.2.3
echo 'VERSION  := 1.2' >GNUmakefile
rejects '"1.2" is not a version' v1.2
