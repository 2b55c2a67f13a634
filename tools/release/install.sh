#!/bin/sh
# Installs the provider from the archives of a release, with Terraform or OpenTofu:
#
#	install.sh FOLDER NAME PROGRAM PLATFORM...
#
# Runs the commands of docs/guides/installing.md in the folder download of a home of its own: those
# of the blocks that are marked <!-- test: release -->. With more than one platform, the release is
# complete: then it also writes a lock file for all of them, and installs what is locked there from
# the filesystem mirror and from a network mirror.
set -eu
release=$1 name=$2 program=$3
shift 3

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
root=$PWD
address=registry.terraform.io/notification/notification
checkout=$home/checkout
mirror=$home/terraform-mirror

fail() {
	echo "$program: $1" >&2
	exit 1
}

# in_home FOLDER COMMAND... runs a command as the guide's reader would. Its output goes to the log.
in_home() (
	cd "$1"
	shift
	HOME=$home PATH="$home/bin:$PATH" TF_IN_AUTOMATION=1 "$@" >"$home/log" 2>&1
)

# expect TEXT FOLDER COMMAND... fails with the text, and what was logged, if the command fails.
expect() {
	text=$1
	shift
	in_home "$@" || {
		cat "$home/log" >&2
		fail "$text"
	}
}

run_guide() {
	# To lock a platform that the release lacks, Terraform looks at no more than an archive's bytes.
	for other in linux_amd64 darwin_arm64 windows_amd64; do
		[ -e "$home/download/${name}_$other.zip" ] ||
			cp "$release/${name}_$1.zip" "$home/download/${name}_$other.zip"
	done
	awk '/^<!-- test: release -->$/ { marked = 1; next }
		/^```/ { inside = marked && !inside; marked = 0; next }
		inside' docs/guides/installing.md >"$home/commands.sh"
	[ "$(grep -c '^terraform' "$home/commands.sh")" -ge 3 ] ||
		fail "docs/guides/installing.md has too few commands"
	expect "the commands of docs/guides/installing.md fail" "$home/download" \
		env TF_CLI_CONFIG_FILE= sh -eu "$home/commands.sh"
	grep -q '"h1:' "$checkout/.terraform.lock.hcl" || fail "the guide's lock file has no checksum"
	[ -d "$home/plugin-cache/$address" ] || fail "the guide's plugin cache is empty"
	sed -n 's/.*"url": "\(terraform-provider[^"]*\)".*/\1/p' "$mirror/$address/0.1.0.json" |
		while read -r archive; do
			[ -e "$home/download/$archive" ] || fail "the guide's mirror names $archive"
		done
}

# init CONFIG installs what the lock file has.
init() {
	rm -rf "$checkout/.terraform"
	in_home "$checkout" \
		env TF_CLI_CONFIG_FILE="$1" terraform init -input=false -no-color -lockfile=readonly
}

# lock PLATFORM... makes a new lock file for these platforms.
lock() {
	for each; do
		set -- "$@" "-platform=$each"
		shift
	done
	rm -f "$checkout/.terraform.lock.hcl"
	expect "the archives cannot be locked" "$checkout" env TF_CLI_CONFIG_FILE="$home/mirror.tfrc" \
		terraform providers lock -fs-mirror="$mirror" "$@"
	[ "$(grep -c '"h1:' "$checkout/.terraform.lock.hcl")" -eq $# ] ||
		fail "the lock file does not have a checksum for each platform"
}

init_from_filesystem() {
	if init "$home/mirror.tfrc"; then
		return
	fi
	cat "$home/log" >&2
	fail "init from a filesystem mirror failed"
}

refuse_from_filesystem() {
	if init "$home/mirror.tfrc" || ! grep -q checksum "$home/log"; then
		cat "$home/log" >&2
		fail "init accepted an archive that the lock file does not have"
	fi
}

init_from_network() {
	go build -C "$root/tools/mirror" -o "$home/bin/mirror" .
	cat >"$home/init.sh" <<'END'
cat >"$TF_CLI_CONFIG_FILE" <<CONFIG
provider_installation {
  network_mirror {
    url = "$MIRROR_URL"
  }
}
CONFIG
exec terraform init -input=false -no-color -lockfile=readonly
END
	rm -rf "$checkout/.terraform"
	expect "init from a network mirror failed" "$checkout" \
		env TF_CLI_CONFIG_FILE="$home/network.tfrc" mirror "$mirror" sh -eu "$home/init.sh"
	[ -d "$checkout/.terraform/providers/$address" ] || fail "init installed no provider"
}

mkdir "$home/download" "$home/bin"
cp "$release/$name"_* "$home/download/"
ln -s "$(command -v "$program")" "$home/bin/terraform"
run_guide "$1"
if [ $# -gt 1 ]; then
	lock "$2"
	refuse_from_filesystem
	lock "$@"
	init_from_filesystem
	init_from_network
fi
