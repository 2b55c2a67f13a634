#!/bin/sh
# Tests tag.sh in a repository of its own.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2046 # a word for each
unset $(git rev-parse --local-env-vars)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=check GIT_AUTHOR_EMAIL=check@example.com
export GIT_COMMITTER_NAME=check GIT_COMMITTER_EMAIL=check@example.com

fail() {
	echo "tag.sh: $1" >&2
	exit 1
}
rejects() {
	if sh tools/release/tag.sh "$2" 2>"$work/error"; then
		fail "it accepted $2, but $1"
	fi
	grep -qF "$1" "$work/error" || fail "$2: $(cat "$work/error")"
}
commit() {
	git add --all
	git commit --quiet --message check
}
tag() {
	git tag --force "$@" >"$work/log"
}

mkdir -p "$work/copy/tools/release"
cp tools/release/tag.sh tools/release/notes.sh tools/release/version.sh "$work/copy/tools/release/"
cd "$work/copy"
echo 'VERSION  := 1.2.3' >GNUmakefile
printf '# Changelog\n\n## [1.2.3] - 2026-01-02\n\nNews.\n' >CHANGELOG.md
git -c init.defaultBranch=main init --quiet
commit
git update-ref refs/remotes/origin/main HEAD
tag v1.2.3
sh tools/release/tag.sh v1.2.3 2>"$work/error" || fail "it rejected what may be released"

rejects "the VERSION in GNUmakefile is 1.2.3" v1.2.4
echo more >more
rejects "files were changed" v1.2.3
commit
rejects "another commit is checked out" v1.2.3
tag v1.2.3
rejects "its commit is not on main" v1.2.3
git update-ref refs/remotes/origin/main HEAD
sh tools/release/tag.sh v1.2.3 2>"$work/error" || fail "it rejected a later commit"

# checked yes|no expects whether the signature of a tag that it accepts was checked.
checked() {
	sh tools/release/tag.sh v1.2.3 2>"$work/error" || fail "it rejected: $(cat "$work/error")"
	said=yes
	! grep -q "was not checked" "$work/error" || said=no
	[ "$said" = "$1" ] || fail "was the signature checked? $said: $(cat "$work/error")"
}
checked no
if command -v gpg >/dev/null; then
	export GNUPGHOME="$work/gnupg"
	mkdir -m 700 "$GNUPGHOME" "$work/empty"
	gpg --batch --quiet --passphrase '' --quick-generate-key check@example.com ed25519 sign never
	tag --local-user check@example.com --message signed v1.2.3
	checked yes
	GNUPGHOME="$work/empty" checked no
	signed=$(git cat-file tag v1.2.3)
	changed=$(echo "$signed" | sed 's/^signed$/changed/' | git hash-object -t tag -w --stdin)
	git update-ref refs/tags/v1.2.3 "$changed"
	rejects "its signature is wrong" v1.2.3
	gpgconf --kill all
fi
git tag --delete v1.2.3 >"$work/log"
rejects "there is no such tag" v1.2.3
printf '# Changelog\n\n## [1.2.3] - Unreleased\n\nNews.\n' >CHANGELOG.md
commit
git update-ref refs/remotes/origin/main HEAD
tag v1.2.3
rejects "CHANGELOG.md is not ready" v1.2.3
echo 'VERSION  := 1.2' >GNUmakefile
rejects '"1.2" is not a version' v1.2
