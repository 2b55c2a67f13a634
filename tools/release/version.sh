#!/bin/sh
# Fails unless a version is X.Y.Z, or a prerelease X.Y.Z-PRE:
#
#	version.sh VERSION
set -eu
number='(0|[1-9][0-9]*)'
echo "$1" | grep -qE "^$number\.$number\.$number(-[0-9A-Za-z]+([.-][0-9A-Za-z]+)*)?\$" || {
	echo "\"$1\" is not a version such as 1.2.3 or 1.2.3-rc.1." >&2
	exit 1
}
