#!/bin/sh
# Tries a release, and publishes nothing:
#
#	check.sh [--all] GORELEASER VERSION PLATFORM
#
# Makes it twice from copies of the working tree, which must give the same bytes; signs it with a
# temporary key; verifies it, and sees that what was tampered with is noticed; publishes it to a fake
# of GitHub; applies examples/demo with its provider and emulator; and runs the commands of
# docs/guides/installing.md on its archives. Where buildah works, it also builds the emulator's image,
# and runs that.
#
# The release has one platform, that of the machine. With --all it has every platform, and SBOMs by
# the SYFT of the environment. It is then also installed with OpenTofu: the TOFU of the environment,
# or tofu on PATH. Without gpg, nothing is signed, and the guide is not tried.
set -eu
cd "$(dirname "$0")/../.."
all=
if [ "$1" = --all ]; then
	all=yes
	shift
fi
goreleaser=$(realpath "$1") version=$2 platform=$3

root=$PWD
name=terraform-provider-notification_$version
terraform=$(sh tools/hc-install/terraform.sh)
work=$(mktemp -d)
release=$work/first/dist
trap finish EXIT
trap 'exit 1' HUP INT TERM

finish() {
	[ ! -d "$work/gnupg" ] || gpgconf --kill all
	rm -rf "$work"
}

fail() {
	echo "$1" >&2
	exit 1
}

# That of the machine comes first.
list_platforms() {
	echo "$platform"
	[ -z "$all" ] || sh tools/release/platforms.sh | sed "/^$platform\$/d"
}

make_key() {
	if ! command -v gpg >/dev/null; then
		[ -z "$all" ] || fail "gpg is not installed."
		echo "gpg is not installed: neither the signature nor the guide is checked." >&2
		return
	fi
	export GNUPGHOME="$work/gnupg"
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-generate-key check@example.com rsa3072 sign never
	fingerprint=$(gpg --batch --quiet --list-keys --with-colons 2>/dev/null |
		awk -F: '/^fpr/ { print $10; exit }')
}

find_syft() {
	mkdir "$work/bin"
	ln -s "$(realpath "$SYFT")" "$work/bin/syft"
	PATH="$work/bin:$PATH"
}

# SBOMs hold the time at which they were made.
check_reproducible() {
	(cd "$release" && sha256sum -- *.zip *.tar.gz) >"$work/first.sums"
	(cd "$work/second/dist" && sha256sum --check --strict --quiet "$work/first.sums") ||
		fail "The release is not reproducible."
}

# apply_demo PROGRAM installs from a mirror of archives, in which they are found by their names.
apply_demo() {
	rm -rf "$work/demo" "$work/mirror" "$work/emulator"
	mkdir -p "$work/demo" "$work/emulator"
	tar -xzf "$release/notification-emulator_${version}_$platform.tar.gz" -C "$work/emulator"
	for address in $(sh tools/addresses.sh); do
		mkdir -p "$work/mirror/$address"
		cp "$release/$name"_*.zip "$work/mirror/$address/"
	done
	cp -R examples/demo/main.tf examples/demo/checkout "$work/demo/"
	sh tools/release/constrain.sh "$version" "$work/demo/main.tf" "$work/demo/checkout/"*.tf
	cat >"$work/terraform.rc" <<CONFIG
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path = "$work/mirror"
  }
}
CONFIG
	cd "$work/demo"
	# shellcheck disable=SC2016 # the inner shell expands it
	env TF_CLI_CONFIG_FILE="$work/terraform.rc" TF_IN_AUTOMATION=1 \
		"$work/emulator/notification-emulator" exec -expect 1 -- \
		sh -ec '"$0" init -input=false -no-color
			"$0" apply -input=false -auto-approve -no-color' "$1" >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		fail "The demo failed with the release and $1."
	}
	cd "$root"
}

check_image() {
	images=$(echo "$platforms" | grep -x 'linux_a[mr][dm]64' || true)
	if [ -z "$images" ] || ! command -v buildah >/dev/null || ! command -v jq >/dev/null ||
		{ [ "$(id -u)" != 0 ] && ! buildah unshare true 2>/dev/null; }; then
		echo "No buildah that works, or not Linux: the emulator's image is not checked." >&2
		return
	fi
	# shellcheck disable=SC2086 # a word for each
	sh tools/release/image.sh --push "dir:$work/image" "$release" "$version" $images \
		>"$work/digest"
	image=yes
}

install_with() {
	apply_demo "$1"
	[ -z "$fingerprint" ] || sh tools/release/install.sh "$release" "$version" "$1"
}

# A demo and a guide of users have nothing of the settings of whoever runs this.
for variable in $(env | sed -n 's/^\(TF_[A-Za-z0-9_]*\)=.*/\1/p'); do
	unset "$variable"
done
sh tools/release/version.sh "$version"
literals='VersionIsInOnePlace|ConstraintAllowsTheVersionEverywhere|AddressIsTheSameEverywhere'
go test -count=1 -run "^Test($literals)\$" . >"$work/log" || fail "$(cat "$work/log")"
platforms=$(list_platforms)
fingerprint= image=
sh tools/release/notes_test.sh "$version"
sh tools/release/tag_test.sh
sh tools/release/address_test.sh
make_key
[ -z "$all" ] || find_syft
only=$platform
[ -z "$all" ] || only=
sh tools/release/build.sh "$work/first" "$goreleaser" "$version" "$only"
# From the copy, so that nobody who edits a file meanwhile is blamed.
sh "$work/first/tools/release/build.sh" "$work/second" "$goreleaser" "$version" "$only"
check_reproducible
[ -z "$fingerprint" ] || sh tools/release/sign.sh "$release" "$version" "$fingerprint"
# shellcheck disable=SC2086 # a word for each
set -- ${fingerprint:+--signer "$fingerprint"} ${all:+--sboms} "$release" "$version" $platforms
sh tools/release/verify.sh "$@"
sh tools/release/verify_test.sh "$@"
sh tools/release/publish_test.sh "$release" "$version"
check_image
install_with "$terraform"
if [ -n "$all" ]; then
	tofu=${TOFU:-$(command -v tofu || true)}
	if [ -n "$tofu" ]; then
		install_with "$tofu"
	else
		echo "OpenTofu is not on PATH, and TOFU is not set: the release is not tried with it." >&2
	fi
fi
# shellcheck disable=SC2086 # on one line
echo "Release $version for" $platforms: "names, notes, sums,${fingerprint:+ signature,}${all:+ SBOMs,}" \
	"manifest,${image:+ image,} terms and reproducibility checked; the demo applied with it and its emulator."
