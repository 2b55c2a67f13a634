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
export CI=true # where a tag need not be signed

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
grep -qxF '?? more' "$work/error" || fail "it does not say which"
commit
rejects "another commit is checked out" v1.2.3
tag v1.2.3
rejects "its commit is not on the main of origin" v1.2.3
git update-ref refs/remotes/origin/main HEAD
sh tools/release/tag.sh v1.2.3 2>"$work/error" || fail "it rejected a later commit"

# says TEXT expects it to accept the tag and say this, or nothing.
says() {
	sh tools/release/tag.sh v1.2.3 2>"$work/error" || fail "it rejected: $(cat "$work/error")"
	if [ -n "$1" ]; then grep -qF "$1" "$work/error"; else [ ! -s "$work/error" ]; fi ||
		fail "it says \"$(cat "$work/error")\", not \"$1\""
}
# edited SED makes the tag what it is after this edit, with the signature that it has.
edited() {
	object=$(git cat-file tag v1.2.3 | sed "$1" | git hash-object -t tag -w --stdin)
	git update-ref refs/tags/v1.2.3 "$object"
}
unsigned() {
	CI=true says "v1.2.3 is not signed here"
	rejects "it is not signed" v1.2.3
}
unset CI
unsigned
tag --message unsigned v1.2.3
unsigned
edited 's/^tag v1.2.3$/tag v9.9.9/'
rejects "that is another name of the tag v9.9.9" v1.2.3

if command -v ssh-keygen >/dev/null; then
	ssh-keygen -q -t ed25519 -N '' -f "$work/key"
	ssh-keygen -q -t ed25519 -N '' -f "$work/other"
	git config gpg.format ssh
	tag --local-user "$work/key" --message signed v1.2.3
	says "was not checked"
	git config gpg.ssh.allowedSignersFile "$work/signers"
	echo "check@example.com $(cat "$work/other.pub")" >"$work/signers"
	says "was not checked"
	echo "check@example.com $(cat "$work/key.pub")" >"$work/signers"
	says ""
	edited 's/^signed$/changed/'
	rejects "its signature is wrong" v1.2.3
	edited '/^-----BEGIN/,/^-----END/{ /^-----/!s/.*/garbage/; }'
	unsigned
	git config gpg.format openpgp
fi
if command -v gpg >/dev/null; then
	export GNUPGHOME="$work/gnupg"
	mkdir -m 700 "$GNUPGHOME" "$work/empty"
	gpg --batch --quiet --passphrase '' --quick-generate-key check@example.com ed25519 sign never
	tag --local-user check@example.com --message signed v1.2.3
	says ""
	GNUPGHOME="$work/empty" says "was not checked"
	edited 's/^signed$/changed/'
	rejects "its signature is wrong" v1.2.3
	edited '/^-----BEGIN/,/^-----END/{ /^-----/!s/.*/garbage/; }'
	unsigned
	gpgconf --kill all
fi
export CI=true
git tag --delete v1.2.3 >"$work/log"
rejects "there is no such tag" v1.2.3
printf '# Changelog\n\n## [1.2.3] - Unreleased\n\nNews.\n' >CHANGELOG.md
commit
git update-ref refs/remotes/origin/main HEAD
tag v1.2.3
rejects "CHANGELOG.md is not ready" v1.2.3
echo 'VERSION  := 1.2' >GNUmakefile
rejects '"1.2" is not a version' v1.2
