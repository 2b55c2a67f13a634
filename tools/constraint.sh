#!/bin/sh
# Gives the provider another version constraint everywhere in the working tree:
#
#	constraint.sh NEW
#
# NEW is MAJOR.MINOR, without the operator. The constraints of other providers and of modules stay,
# which follow their source, and so does what the changelog says of older versions.
set -eu
cd "$(dirname "$0")/.."
old=$(sed -n 's/.*version *= "~> \(.*\)".*/\1/p' examples/provider/provider.tf)
provider=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)
new=$1
echo "$new" | grep -qE '^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$' || {
	echo "NEW must be MAJOR.MINOR; it is \"$new\"." >&2
	exit 1
}
pattern=$(echo "$old" | sed 's/\./\\./')
count=$(sh tools/rewrite.sh "
\\#\"$provider\"#!{
	/source *= *\"/{
		n
		b
	}
}
s/~> $pattern([^0-9.]|\\.?\$)/~> $new\\1/g" ':!CHANGELOG.md' ':!*_test.go')
echo "~> $old is now ~> $new, in $count files."
