#!/bin/sh
# Fails unless the toolchain line of go.mod has the newest patch of one of the two newest minor
# versions of Go: only those get security fixes. The versions are from the module proxy.
set -eu
cd "$(dirname "$0")/.."
has=$(tr -d '\r' <go.mod | awk '$1 == "toolchain" { print $2 }')
versions=$(go list -m -versions go)
wants=$(echo "$versions" | tr ' ' '\n' | awk -F . -v has="$has" '
	/^1\.[0-9]+\.[0-9]+$/ {
		minor = $2 + 0
		if (minor > top)
			top = minor
		if ($3 + 0 > patch[minor] + 0)
			patch[minor] = $3
	}
	END {
		split(has, part, ".")
		minor = part[2] + 0
		if (minor < top - 1)
			minor = top - 1
		if (minor > top)
			minor = top
		print "go1." minor "." patch[minor] + 0
	}')
[ "$has" = "$wants" ] || {
	echo "go.mod has the toolchain \"$has\". It should have this line:" >&2
	echo "toolchain $wants" >&2
	exit 1
}
