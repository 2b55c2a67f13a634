#!/bin/sh
# Runs the commands of docs/guides/installing.md on the archives of a release, in the folder
# download of a home of its own: those of the blocks that are marked <!-- test: release -->.
set -eu
release=$1 name=$2 platform=$3 terraform=$4

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/download" "$home/bin"
cp "$release/$name"_* "$home/download/"
# A snapshot has the archive of one platform. To lock the others, Terraform looks at no more than
# their bytes.
for other in linux_amd64 darwin_arm64 windows_amd64; do
	[ -e "$home/download/${name}_$other.zip" ] ||
		cp "$release/${name}_$platform.zip" "$home/download/${name}_$other.zip"
done
ln -s "$(command -v "$terraform")" "$home/bin/terraform"
awk '/^<!-- test: release -->$/ { marked = 1; next }
	/^```/ { inside = marked && !inside; marked = 0; next }
	inside' docs/guides/installing.md >"$home/commands.sh"
[ "$(grep -c '^terraform' "$home/commands.sh")" -ge 3 ] || {
	echo "docs/guides/installing.md has too few commands" >&2
	exit 1
}
cd "$home/download"
HOME=$home PATH="$home/bin:$PATH" TF_CLI_CONFIG_FILE='' TF_IN_AUTOMATION=1 \
	sh -eu "$home/commands.sh" >"$home/log" 2>&1 || {
	cat "$home/log"
	echo "the commands of docs/guides/installing.md fail" >&2
	exit 1
}
[ "$(grep -c '"h1:' "$home/checkout/.terraform.lock.hcl")" -ge 1 ]
[ -d "$home/plugin-cache/registry.terraform.io/notification/notification" ]
for archive in $(sed -n 's/.*"url": "\(terraform-provider[^"]*\)".*/\1/p' \
	"$home/terraform-mirror/registry.terraform.io/notification/notification/0.1.0.json"); do
	[ -e "$home/download/$archive" ]
done
