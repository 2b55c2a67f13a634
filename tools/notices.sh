#!/bin/sh
# Writes THIRD_PARTY_NOTICES.txt: the licences of the modules linked into the provider and the
# emulator on any platform in .goreleaser.yml. GoReleaser runs this script and adds the file to each
# archive of a release.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "$1" >&2
	exit 1
}

sed -n 's/^      - \([a-z]*_[a-z0-9]*\)$/\1/p' .goreleaser.yml | while read -r platform; do
	GOOS=${platform%_*} GOARCH=${platform#*_} CGO_ENABLED=0 go list -deps -f \
		'{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' \
		. ./internal/cmd/notification-emulator >>"$work/all"
done
LC_ALL=C sort -u "$work/all" >"$work/modules"

# Modules with identical licences are listed together.
while read -r module folder; do
	find "$folder" -maxdepth 1 -type f | LC_ALL=C sort |
		grep -iE '/(licen[cs]e|copying|notice|patents)[^/]*$' >"$work/files" ||
		fail "$module has no licence."
	tr '\n' '\0' <"$work/files" | xargs -0 cat | tr -d '\r' >"$work/terms"
	group=$(cksum <"$work/terms" | tr -d ' ')
	if [ ! -e "$work/$group.modules" ]; then
		echo "$group" >>"$work/groups"
		mv "$work/terms" "$work/$group.terms"
	fi
	echo "$module: https://pkg.go.dev/$module" >>"$work/$group.modules"
	# Go has the same licence, which not every distribution of Go has in GOROOT.
	[ "$module" != golang.org/x/text ] ||
		echo "Go's runtime and standard library: https://go.dev/dl/" >>"$work/$group.modules"
done <"$work/modules"

line=$(printf '%100s' '' | tr ' ' =)
{
	echo "terraform-provider-notification and notification-emulator are distributed under the terms of the
file LICENSE. They contain the following software, under its own terms. Its source code is
available at its address, in the versions that \`go version -m FILE\` lists."
	while read -r group; do
		printf '\n%s\n' "$line"
		cat "$work/$group.modules"
		printf '%s\n\n' "$line"
		cat "$work/$group.terms"
	done <"$work/groups"
} >THIRD_PARTY_NOTICES.txt
