#!/bin/sh
# Tests publish.sh with the files of a release, in a copy of it for a fake of GitHub:
#
#	publish_test.sh FOLDER VERSION
set -eu
cd "$(dirname "$0")/../.."
release=$(realpath "$1") version=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "publish.sh: $1" >&2
	cat "$work/log" >&2
	exit 1
}

mkdir -p "$work/bin" "$work/tools/release" "$work/files"
cp tools/release/publish.sh tools/release/notes.sh "$work/tools/release/"
cat >"$work/bin/gh" <<'END'
#!/bin/sh
echo "$*" >>"$LOG"
[ "$1 $2" != "release create" ] || printf '%s\n' "$@" >"$LOG.arguments"
case "$1 $2" in
"release view")
	[ "$FOUND" = true ] || [ "$FOUND" = false ] || {
		echo "$FOUND" >&2
		exit 1
	}
	echo "$FOUND"
	;;
"release create")
	[ -z "$BROKEN" ] || exit 1
	while [ "$1" != --notes-file ]; do shift; done
	cp "$2" "$LOG.notes"
	;;
esac
END
chmod +x "$work/bin/gh"

cd "$work"
# shellcheck disable=SC2046 # a word for each
unset $(git rev-parse --local-env-vars)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git -c init.defaultBranch=main init --quiet
git -c user.name=check -c user.email=check@example.com \
	commit --quiet --allow-empty --message check
tag() {
	git tag "$1"
}

# publish VERSION FOUND [BROKEN] publishes where gh finds a draft (true), a release (false) or an
# error, and creating one fails or not.
publish() {
	: >"$work/log"
	rm -f "$work/log.notes"
	printf '# Changelog\n\n## [%s] - 2026-01-02\n\nNews.\n' "$1" >"$work/CHANGELOG.md"
	tag "v$1" 2>/dev/null || true
	PATH="$work/bin:$PATH" LOG="$work/log" FOUND="$2" BROKEN="${3:-}" \
		sh "$work/tools/release/publish.sh" "${4:-$release}" "$1" 2>"$work/error"
}
calls() {
	cut -d ' ' -f 2 "$work/log" | tr '\n' ' '
}

publish "$version" "release not found" || fail "it failed: $(cat "$work/error")"
[ "$(calls)" = "view create edit " ] || fail "it called: $(calls)"
grep -q "^release create v$version --draft --verify-tag " "$work/log" || fail "no draft first"
[ "$(tail -n 1 "$work/log")" = "release edit v$version --draft=false" ] ||
	fail "the draft stays one"
[ "$(cat "$work/log.notes")" = "News." ] || fail "the notes are others"
find "$release" -maxdepth 1 -type f -name "*_${version}_*" | sort >"$work/expected"
[ -s "$work/expected" ] || fail "no file to publish was found"
grep "^$release/" "$work/log.arguments" | sort |
	diff "$work/expected" - >&2 || fail "these are not the files of the release"
case $version in
*-*) ;;
*) ! grep -q -e --prerelease "$work/log" || fail "it calls a release a prerelease" ;;
esac

: >"$work/files/terraform-provider-notification_9.9.9-rc.1_x.zip"
: >"$work/files/notification-emulator_9.9.9-rc.1_x.tar.gz"
publish 9.9.9-rc.1 "release not found" "" "$work/files" || fail "a prerelease failed"
grep -q '^release create v9.9.9-rc.1 .* --prerelease' "$work/log" ||
	fail "it calls a prerelease a release"

publish "$version" true || fail "it failed on what was left of another run"
[ "$(calls)" = "view delete create edit " ] || fail "with a draft, it called: $(calls)"
! publish "$version" false || fail "it published twice"
[ "$(calls)" = "view " ] || fail "with a release, it called: $(calls)"
! publish "$version" "no network" || fail "it went on without an answer"
[ "$(calls)" = "view " ] || fail "without an answer, it called: $(calls)"
! publish "$version" "release not found" broken || fail "it hid that no draft was made"
[ "$(calls)" = "view create " ] || fail "without a draft, it called: $(calls)"

tag v99.0.0
publish "$version" "release not found" || fail "a patch of an older line failed"
[ "$(tail -n 1 "$work/log")" = "release edit v$version --draft=false --latest=false" ] ||
	fail "a patch of an older line became the latest"
