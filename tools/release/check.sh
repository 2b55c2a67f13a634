#!/bin/sh
# Tests a release without publishing it:
#
#	check.sh [--all] GORELEASER VERSION PLATFORM
#
# Builds it from the working tree, signs it with a temporary key, verifies it, and checks that
# tampering is detected; installs it as docs/guides/installing.md says, and applies examples/demo
# with its provider and emulator. If buildah works, it also builds and runs the emulator's image.
#
# The release is for PLATFORM, which must be this machine's. With --all it is for every platform,
# has SBOMs by $SYFT, and is also installed with OpenTofu: $TOFU, or tofu on PATH. Without gpg, the
# release is not signed and the guide not tested.
set -eu
cd "$(dirname "$0")/../.."
all=
if [ "$1" = --all ]; then
	all=yes
	shift
fi
goreleaser=$1 version=$2 platform=$3
platforms=$platform # this machine's is first
others=$(sh tools/release/platforms.sh | sed "/^$platform\$/d" | paste -sd ' ' -)
[ -z "$all" ] || platforms="$platform $others"
terraform=$(sh tools/hc-install/terraform.sh)
work=$(mktemp -d)
release=$work/release
fingerprint= image=
trap finish EXIT
trap 'exit 1' HUP INT TERM

finish() {
	[ ! -d "$work/gnupg" ] || gpgconf --kill all
	rm -rf "$work"
}

make_key() {
	if ! command -v gpg >/dev/null; then
		echo "gpg is not installed: neither the signature nor the guide is tested." >&2
		return
	fi
	export GNUPGHOME="$work/gnupg"
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-generate-key check@example.com rsa3072 sign never
	fingerprint=$(gpg --batch --list-keys --with-colons 2>/dev/null |
		awk -F: '/^fpr/ { print $10 }')
}

# install_with PROGRAM applies the demo with the programs from the archives, and follows the guide.
install_with() {
	ln -sf "$(realpath "$1")" "$work/bin/terraform"
	PATH="$work/bin:$PATH" sh examples/demo/run.sh \
		"$programs/terraform-provider-notification_v$version" "$programs/notification-emulator" \
		"${version%%-*}" "$platform" >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		echo "The demo failed with the release and $1." >&2
		exit 1
	}
	[ -z "$fingerprint" ] ||
		PATH="$work/bin:$PATH" sh tools/release/install.sh "$release" "$version" "$platform"
}

check_image() {
	images=$(echo "$platforms" | tr ' ' '\n' | grep -xE 'linux_a(md|rm)64' || true)
	if [ -z "$images" ] || ! command -v buildah >/dev/null || ! command -v jq >/dev/null ||
		{ [ "$(id -u)" != 0 ] && ! buildah unshare true 2>/dev/null; }; then
		echo "buildah does not work here: the emulator's image is not tested." >&2
		return
	fi
	# shellcheck disable=SC2086 # one word for each platform
	sh tools/release/image.sh --push "dir:$work/image" "$release" "$version" $images >"$work/digest"
	image=yes
}

# The user's settings for Terraform must not affect the demo and the guide.
for variable in $(env | sed -n 's/^\(TF_[A-Za-z0-9_]*\)=.*/\1/p'); do
	unset "$variable"
done
mkdir "$work/bin"
sh tools/release/notes_test.sh
sed 's/ - Unreleased$/ - 2000-01-01/' CHANGELOG.md >"$work/CHANGELOG.md"
sh tools/release/notes.sh "$version" "$work/CHANGELOG.md" >"$work/notes"
sh tools/release/tag_test.sh
if [ -n "$all" ]; then
	ln -s "$(realpath "$SYFT")" "$work/bin/syft"
	PATH="$work/bin:$PATH" sh tools/release/build.sh "$release" "$goreleaser" "$version"
else
	sh tools/release/build.sh "$release" "$goreleaser" "$version" "$platform"
fi
make_key
[ -z "$fingerprint" ] || sh tools/release/sign.sh "$release" "$version" "$fingerprint"
# shellcheck disable=SC2086 # one word for each platform
set -- ${fingerprint:+--signer "$fingerprint"} ${all:+--sboms} "$release" "$version" $platforms
sh tools/release/verify.sh "$@"
[ -z "$fingerprint" ] || sh tools/release/verify_test.sh "$@"
check_image

programs=bin/release
rm -rf "$programs"
mkdir -p "$programs"
unzip -q "$release/terraform-provider-notification_${version}_$platform.zip" -d "$programs"
tar -xzf "$release/notification-emulator_${version}_$platform.tar.gz" -C "$programs"
install_with "$terraform"
tofu=${TOFU:-$(command -v tofu || true)}
if [ -n "$all" ] && [ -n "$tofu" ]; then
	install_with "$tofu"
elif [ -n "$all" ]; then
	echo "OpenTofu is not on PATH, and TOFU is not set: the release is not tested with it." >&2
fi
echo "Release $version for $platforms: notes, names, checksums,${fingerprint:+ signature, guide,}" \
	"${image:+image, }licences and demo passed."
