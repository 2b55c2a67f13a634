#!/bin/sh
# Changes the provider's version constraint to ~> MAJOR.MINOR in all files that git tracks, except
# in the changelog and Go tests. It also changes other providers' constraints with the same numbers.
set -eu
cd "$(dirname "$0")/.."
new=$1
echo "$new" | grep -qE '^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$' || {
	echo "NEW must be MAJOR.MINOR; it is \"$new\"." >&2
	exit 1
}
old=$(sed -n 's/^ *version *= *"~> \(.*\)"$/\1/p' examples/provider/provider.tf)
copy=$(mktemp)
git grep -lIF "~> $old" -- ':!CHANGELOG.md' ':!*_test.go' | while read -r file; do
	sed -E "s/~> $old([^0-9.]|\$)/~> $new\1/g" "$file" >"$copy"
	cat "$copy" >"$file"
done
rm "$copy"
