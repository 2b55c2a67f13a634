#!/bin/sh
# Installs the provider from the archives of a release, with Terraform or OpenTofu:
#
#	install.sh FOLDER VERSION PROGRAM
#
# Runs the commands of docs/guides/installing.md and tools/mirror/README.md in the folder download of
# a home of its own: those of the blocks that are marked <!-- test: release -->. Then locks
# beside a second provider, installs what is locked from the filesystem mirror and from a network
# mirror, and takes a newer version.
set -eu
cd "$(dirname "$0")/../.."
release=$1 version=$2 program=$3

root=$PWD
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
name=terraform-provider-notification_$version
address=$(sh tools/addresses.sh "$program")
platform=$(go env GOOS)_$(go env GOARCH)
other=example.com/bench/fake
guide=docs/guides/installing.md
more=tools/mirror/README.md
checkout=$home/checkout
locked=$checkout/.terraform.lock.hcl
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

# expect TEXT COMMAND... fails with the text, and what was logged, if the command fails in the
# configuration.
expect() {
	text=$1
	shift
	in_home "$checkout" "$@" || {
		cat "$home/log" >&2
		fail "$text"
	}
}

# refuse TEXT REASON COMMAND... fails with the text unless the command fails for the reason.
refuse() {
	text=$1 reason=$2
	shift 2
	if in_home "$checkout" "$@" || ! grep -qi "$reason" "$home/log"; then
		cat "$home/log" >&2
		fail "$text"
	fi
}

# init ARGUMENT... installs both providers.
init() {
	rm -rf "$checkout/.terraform/providers"
	expect "terraform init failed" env TF_CLI_CONFIG_FILE="$home/both.tfrc" \
		terraform init -input=false -no-color "$@"
}

run_guide() {
	command -v jq >/dev/null || fail "jq is not installed, which $guide needs"
	# To lock a platform that the release lacks, Terraform looks at no more than an archive's bytes.
	for each in linux_amd64 darwin_arm64 windows_amd64; do
		[ -e "$home/download/${name}_$each.zip" ] ||
			cp "$release/${name}_$platform.zip" "$home/download/${name}_$each.zip"
	done
	awk '/^<!-- test: release -->$/ { marked = 1; next }
		/^```/ { inside = marked && !inside; marked = 0; next }
		inside' "$guide" "$more" >"$home/commands.sh"
	[ "$(grep -c '^terraform' "$home/commands.sh")" -ge 3 ] || fail "$guide has too few commands"
	sh tools/release/constrain.sh "$version" "$home/commands.sh"
	mkdir -p "$checkout"
	in_home "$home/download" env TF_CLI_CONFIG_FILE= sh -eu "$home/commands.sh" || {
		cat "$home/log" >&2
		fail "the commands of $guide fail"
	}
	grep -q '"h1:' "$locked" || fail "the guide's lock file has no checksum"
	[ -d "$home/plugin-cache/$address" ] || fail "the guide's plugin cache is empty"
}

# check_index ADDRESS: the index of the guide's mirror names every archive in it, and nothing else.
check_index() {
	cd "$mirror/$1"
	jq -er ".versions | keys | . == [\"$version\"]" index.json >/dev/null ||
		fail "the guide's mirror has other versions: $(cat index.json)"
	ls -- *.zip | sed "s/^${name}_\(.*\)\.zip\$/\1 &/" >"$home/expected"
	jq -r '.archives | to_entries[] | .key + " " + .value.url' "$version.json" | sort |
		diff "$home/expected" - >&2 || fail "the guide's mirror has other archives"
	cd "$root"
}

# add_provider makes the configuration one of two providers, from mirrors of their own.
add_provider() {
	mkdir -p "$home/other/$other/1.0.0/$platform"
	go build -o "$home/other/$other/1.0.0/$platform/terraform-provider-fake_v1.0.0" \
		./internal/fakeprovider
	mkdir "$checkout/other"
	printf 'module "other" {\n  source = "./other"\n}\n' >"$checkout/other.tf"
	cat >"$checkout/other/main.tf" <<END
terraform {
  required_providers {
    fake = {
      source = "$other"
    }
  }
}
END
	cat >"$home/both.tfrc" <<END
provider_installation {
  filesystem_mirror {
    path    = "$mirror"
    include = ["$address"]
  }
  filesystem_mirror {
    path    = "$home/other"
    include = ["$other"]
  }
}
END
	init
}

# forget removes the provider, and what is locked of it.
forget() {
	rm -rf "$checkout/.terraform/providers"
	awk -v address="$address" 'index($0, "\"" address "\"") { skip = 1 }
		!skip
		/^}/ { skip = 0 }' "$locked" >"$home/unlocked"
	cp "$home/unlocked" "$locked"
}

use_filesystem() {
	set -- env TF_CLI_CONFIG_FILE="$home/both.tfrc" terraform providers lock \
		-fs-mirror="$mirror" "-platform=$platform"
	forget
	refuse "locking without an address found the second provider" "$other" "$@"
	expect "the archive cannot be locked" "$@" "$address"
	grep -qF "\"$address\"" "$locked" && grep -qF "\"$other\"" "$locked" ||
		fail "the lock file does not have both providers"
	init -lockfile=readonly
	cp "$locked" "$home/right"
	sed "s/\"h1:.*\"/\"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"/; /\"zh:/d" \
		"$home/right" >"$locked"
	rm -rf "$checkout/.terraform/providers"
	refuse "init accepted an archive that is not locked" checksum \
		env TF_CLI_CONFIG_FILE="$home/both.tfrc" terraform init -input=false -no-color
	cp "$home/right" "$locked"
}

# use_network locks from a network mirror, and installs what it locked.
use_network() {
	go build -C tools/mirror -o "$home/bin/mirror" .
	cat >"$home/network.sh" <<END
cat >"\$TF_CLI_CONFIG_FILE" <<CONFIG
provider_installation {
  network_mirror {
    url     = "\$MIRROR_URL"
    include = ["$address"]
  }
  filesystem_mirror {
    path    = "$home/other"
    include = ["$other"]
  }
}
CONFIG
terraform providers lock -net-mirror="\$MIRROR_URL" -platform=$platform $address
exec terraform init -input=false -no-color -lockfile=readonly
END
	forget
	expect "locking and init with a network mirror failed" \
		env TF_CLI_CONFIG_FILE="$home/network.tfrc" mirror "$mirror" sh -eu "$home/network.sh"
	[ -d "$checkout/.terraform/providers/$address" ] || fail "init installed no provider"
}

upgrade() {
	case $version in *-*) return 0 ;; esac # a constraint names a prerelease
	patch=${version##*.}
	newer=${version%.*}.$((patch + 1))
	archive=terraform-provider-notification_${newer}_$platform.zip
	cp "$mirror/$address/${name}_$platform.zip" "$mirror/$address/$archive"
	init
	grep -q "\"$version\"" "$locked" || fail "init took a version that is not locked"
	init -upgrade
	grep -q "\"$newer\"" "$locked" || fail "init -upgrade took no newer version"
	rm "$mirror/$address/$archive"
}

mkdir "$home/download" "$home/bin"
cp "$release/$name"_* "$home/download/"
ln -s "$(command -v "$program")" "$home/bin/terraform"
run_guide
for each in $(sh tools/addresses.sh); do
	check_index "$each"
done
add_provider
use_filesystem
use_network
upgrade
