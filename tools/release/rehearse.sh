#!/bin/sh
# Tries a later release, by somebody else: runs `make release-check` in a copy of the working tree
# that has another version and another source.
#
#	rehearse.sh GORELEASER NEXT
set -eu
cd "$(dirname "$0")/../.."
goreleaser=$(realpath "$1") next=$2
core=${next%%-*} # a prerelease is of the version that it precedes
organisation=another-organisation
new=registry.example.com/$organisation/notification
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
terraform=$(sh tools/hc-install/terraform.sh)

fail() {
	echo "The version $next: $1." >&2
	exit 1
}

sh tools/release/copy.sh "$work"
# shellcheck disable=SC2046 # a word for each
unset $(git rev-parse --local-env-vars)
cd "$work"
mkdir -p bin
ln -s "$goreleaser" bin/goreleaser
old=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)

sh tools/addresses.sh >bin/old
make --no-print-directory address NEW="$new" >bin/log
make --no-print-directory address NEW="$old" >>bin/log
git diff --exit-code || fail "the source is not what it was, after another one and back"
constraint=$(sh tools/constraint.sh)
make --no-print-directory constraint NEW=5.0 >bin/log # that of another provider in the examples
make --no-print-directory constraint NEW="$constraint" >>bin/log
git diff --exit-code || fail "the constraint is not what it was, after another one and back"
[ "${constraint%%.*}" = "${next%%.*}" ] ||
	make --no-print-directory constraint NEW="${core%.*}"

sed "s/^\(VERSION *:= *\).*/\1$next/" GNUmakefile >new && mv new GNUmakefile
make --no-print-directory pin
awk -v heading="## [$next] - $(date +%Y-%m-%d)" '/^## / && !done {
	print heading "\n\nA later version.\n"
	done = 1
}
{ print }' CHANGELOG.md >new && mv new CHANGELOG.md
make --no-print-directory address NEW="$new"
namespace=${old%/*}
namespace=${namespace#*/}
if git grep -nF -f bin/old -e "\"$old\"" -e "github.com/$namespace/" \
	-e "opentofu.org/$namespace/" -e "--repo $namespace/" -e "/providers/$namespace/" \
	-e "ghcr.io/$namespace/"; then
	fail "these lines have the old source"
fi
PATH="$(dirname "$terraform"):$PATH" make --no-print-directory release-check REHEARSAL= ||
	fail "make release-check failed"
