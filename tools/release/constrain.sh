#!/bin/sh
# Lets configurations accept a prerelease, which Terraform installs only where a constraint names it:
#
#	constrain.sh VERSION FILE...
set -eu
version=$1
shift
case $version in *-*) ;; *) exit 0 ;; esac
for file; do
	sed "s/\(version *= \"\)~> [0-9.]*\"/\1$version\"/" "$file" >"$file.new"
	mv "$file.new" "$file"
done
