#!/bin/sh
# Changes the text files that git tracks, and prints how many it changed:
#
#	rewrite.sh SED [PATHSPEC...]
set -eu
cd "$(dirname "$0")/.."
script=$1
shift
mkdir -p bin
git -c core.quotePath=false ls-files -- "$@" |
	while read -r file; do
		[ ! -f "$file" ] || ! grep -qI . "$file" || echo "$file"
	done >bin/rewrite.files
count=0
while read -r file; do
	sed -E "$script" "$file" >bin/rewrite.new
	cmp -s "$file" bin/rewrite.new || {
		cat bin/rewrite.new >"$file"
		count=$((count + 1))
	}
done <bin/rewrite.files
rm bin/rewrite.files bin/rewrite.new
echo "$count"
