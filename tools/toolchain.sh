#!/bin/sh
# Fails unless the toolchain line of go.mod names the newest patch of one of the two newest minor
# versions of Go, which are the ones that get security fixes. Asks the module proxy.
set -eu
cd "$(dirname "$0")/.."
has=$(sed -n 's/^toolchain //p' go.mod)
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
		minor = part[2] < top - 1 ? top - 1 : part[2] + 0
		print "go1." minor "." patch[minor] + 0
	}')
[ "$has" = "$wants" ] || {
	echo "Replace this line in go.mod: toolchain $has" >&2
	echo "                         by: toolchain $wants" >&2
	exit 1
}
