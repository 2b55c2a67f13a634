#!/bin/sh
# Installs the provider from the archives of a signed release, with the Terraform on PATH:
#
#	install.sh FOLDER VERSION PLATFORM
#
# Runs the blocks of docs/guides/installing.md that are marked <!-- test: release --> in the folder
# download of a temporary home directory.
set -eu
cd "$(dirname "$0")/../.."
release=$1 version=$2 platform=$3
guide=docs/guides/installing.md
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$home/download"
cp "$release/terraform-provider-notification_$version"_* "$home/download/"
# For platforms that the release lacks, copies of an archive do: Terraform only locks their hashes.
for each in linux_amd64 darwin_arm64 windows_amd64; do
	archive=$home/download/terraform-provider-notification_${version}_$each.zip
	[ -e "$archive" ] || cp "${archive%_*_*}_$platform.zip" "$archive"
done
awk '/^<!-- test: release -->$/ { marked = 1; next }
	/^```/ { inside = marked && !inside; marked = 0; next }
	inside' "$guide" >"$home/commands.sh"
case $version in *-*) # Terraform installs a prerelease only where a constraint names it
	sed "s/~> [0-9.]*\"/$version\"/" "$home/commands.sh" >"$home/named.sh"
	mv "$home/named.sh" "$home/commands.sh"
	;;
esac
cd "$home/download"
HOME=$home TF_CLI_CONFIG_FILE='' sh -eu "$home/commands.sh" >"$home/log" 2>&1 &&
	grep -q '"h1:' "$home/checkout/.terraform.lock.hcl" || {
	cat "$home/log" >&2
	echo "The commands of $guide fail." >&2
	exit 1
}
