#!/bin/sh
# Tests a release for this machine's platform, without publishing it:
#
#	check.sh GORELEASER VERSION PLATFORM
#
# Signs it with a temporary key, runs the commands of some sections of docs/guides/installing.md,
# compares the archive with the mirror of `make dist`, and applies examples/demo with what was
# unpacked. Without gpg, it leaves out the signature and the guide.
set -eu
cd "$(dirname "$0")/../.."
goreleaser=$1 version=$2 platform=$3
terraform=$(sh tools/hc-install/terraform.sh)
programs=bin/release
work=$(mktemp -d)
archive=$work/download/terraform-provider-notification_$version
export GNUPGHOME="$work/gnupg"
trap '[ ! -d "$GNUPGHOME" ] || gpgconf --kill all; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# quietly COMMAND... runs COMMAND, and shows its output only if it fails.
quietly() {
	"$@" >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		echo "Release $version cannot be used: this failed: $*" >&2
		exit 1
	}
}

# section HEADING prints the commands of the guide below a heading, up to the next one.
section() {
	awk -v heading="$1" '!inside && /^#/ { found = $0 == heading; next }
		/^```/ { inside = found && !inside; next }
		inside' docs/guides/installing.md >"$work/section"
	[ -s "$work/section" ] || { echo "The guide has no commands below '$1'." >&2; exit 1; }
	cat "$work/section"
}

# follow_guide has none of the user's settings for Terraform.
follow_guide() {
	env -i HOME="$work" GNUPGHOME="$GNUPGHOME" CHECKPOINT_DISABLE=1 PATH="$work/bin:$PATH" \
		sh -eu "$work/guide"
}

signed=
export GPG_FINGERPRINT=
if command -v gpg >/dev/null; then
	signed=' signature, guide,'
	mkdir -m 700 "$GNUPGHOME"
	GPG_FINGERPRINT=check@example.com
	quietly gpg --batch --passphrase '' --quick-generate-key "$GPG_FINGERPRINT" rsa3072 sign never
else
	echo "gpg is not installed: neither the signature nor the guide is tested." >&2
fi
quietly sh tools/release/dist.sh "$work/download" "$goreleaser" "$version" "$platform"
# Terraform's registry refuses a release without the checksum of its manifest, and an armored
# signature.
quietly grep -qF "  ${archive##*/}_manifest.json" "${archive}_SHA256SUMS"
quietly grep -qF '"protocol_versions": ["6.0"]' terraform-registry-manifest.json
[ -z "$signed" ] || quietly sh -c "! grep -q 'PGP SIGNATURE' '${archive}_SHA256SUMS.sig'"

if [ -n "$signed" ]; then
	# Terraform only locks the checksums of other platforms, so copies of the archive do.
	for other in linux_amd64 darwin_arm64 windows_amd64; do
		[ "$other" = "$platform" ] || cp "${archive}_$platform.zip" "${archive}_$other.zip"
	done
	for heading in '## From a release archive' '## The lock file' '### Verify the signature'; do
		section "$heading" >>"$work/commands"
	done
	# Terraform installs a prerelease only if the constraint names it.
	sed "s/~> [0-9.]*\"/$version\"/" "$work/commands" >"$work/guide"
	mkdir "$work/bin"
	ln -s "$(realpath "$terraform")" "$work/bin/terraform"
	quietly follow_guide
fi

rm -rf "$programs"
mkdir -p "$programs"
unzip -q "${archive}_$platform.zip" -d "$programs"
# A lock file's h1 is a checksum of the names and contents in the archive, or in the mirror's folder.
quietly diff -r "$programs" \
	"dist/mirror/registry.terraform.io/notification/notification/${version%%-*}/$platform"
tar -xzf "$work/download/notification-emulator_${version}_$platform.tar.gz" -C "$programs"
for program in "terraform-provider-notification_v$version" notification-emulator; do
	quietly sh -c "$programs/$program --version | grep -F ' $version'"
	go version -m "$programs/$program" | awk '$1 == "dep" { print $2 ": https://" }' |
		while read -r module; do
			quietly grep -F "$module" "$programs/THIRD_PARTY_NOTICES.txt"
		done
done
quietly sh examples/demo/run.sh \
	"$programs/terraform-provider-notification_v$version" "$programs/notification-emulator" \
	"${version%%-*}" "$platform"
echo "Release $version for $platform: checksums,$signed mirror, licences and demo passed."
