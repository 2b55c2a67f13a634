#!/bin/sh
# Gives the provider another version constraint everywhere in the working tree:
#
#	constraint.sh [NEW]
#
# NEW is MAJOR.MINOR, without the operator. Without it, prints what there is. It changes the version
# in a block with the provider's source, and what text names between backquotes or in a table. What
# the changelog says of older versions stays.
set -eu
cd "$(dirname "$0")/.."

# check NAME VALUE
check() {
	echo "$2" | tr '\n' ' ' | grep -qE '^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*) $' || {
		echo "$1 must be MAJOR.MINOR; it is \"$2\"." >&2
		exit 1
	}
}

old=$(sed -n 's/^ *version *= *"~> \(.*\)"$/\1/p' examples/provider/provider.tf)
check "The constraint in examples/provider/provider.tf" "$old"
if [ $# -eq 0 ]; then
	echo "$old"
	exit
fi
new=$1
check NEW "$new"
provider=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)
source="source *= *\"([a-z0-9.-]+\\.[a-z0-9-]+/)?$provider\""
version="version *= *\"~> "
pattern=$(echo "$old" | sed 's/\./\\./')
# All lines at once, since a block has source and version in any order.
count=$(sh tools/rewrite.sh "
:lines
\$!{
	N
	b lines
}
s#(\\{[^{}]*$source[^{}]*[^_a-z]$version)$pattern\"#\\1$new\"#g
s#(\\{[^{}]*[^_a-z]$version)$pattern(\"[^{}]*$source)#\\1$new\\2#g
s#((\`|\\| )(version *= *\")?~> )$pattern([^0-9.])#\\1$new\\4#g" ':!CHANGELOG.md' ':!*_test.go')
echo "~> $old is now ~> $new, in $count files."
