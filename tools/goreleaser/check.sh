#!/bin/sh
# Checks .goreleaser.yml: makes a release for this machine from a copy of the working tree, twice,
# which must give the same bytes, and publishes nothing; checks the release notes, and the file
# names that registries require; checks the signature, with a temporary key, if gpg is installed;
# applies examples/demo with the provider and the emulator of the release; and runs the commands of
# docs/guides/installing.md on its archives.
set -eu
cd "$(dirname "$0")/../.."
goreleaser=$1 address=$2 version=$3 platform=$4

name=terraform-provider-notification_$version
terraform=$(sh tools/hc-install/terraform.sh)
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "$1" >&2
	exit 1
}

skip=publish,sbom
if command -v gpg >/dev/null; then
	export GNUPGHOME="$work/gnupg"
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-generate-key check@example.com rsa3072 sign never
	GPG_FINGERPRINT=$(gpg --batch --quiet --list-keys --with-colons 2>/dev/null | awk -F: '/^fpr/ { print $10; exit }')
	export GPG_FINGERPRINT
else
	echo "gpg is not there: the signature is not checked." >&2
	skip=publish,sbom,sign
fi

sh tools/goreleaser/notes_test.sh "$version"
sh tools/goreleaser/notes.sh --unreleased "$version" >"$work/notes.md"

# A release needs a tagged commit: here, one of the copy.
export GIT_AUTHOR_NAME=check GIT_AUTHOR_EMAIL=check@example.com
export GIT_AUTHOR_DATE=2000-01-01T00:00:00Z
export GIT_COMMITTER_NAME=check GIT_COMMITTER_EMAIL=check@example.com
export GIT_COMMITTER_DATE=2000-01-01T00:00:00Z
for copy in first second; do
	mkdir "$work/$copy"
	git ls-files --cached --others --exclude-standard | while read -r file; do
		[ ! -e "$file" ] || echo "$file"
	done | tar -cf - -T - | tar -xf - -C "$work/$copy"
	cd "$work/$copy"
	sed -i "/^      - [a-z]*_[a-z0-9]*\$/{/ $platform\$/!d}" .goreleaser.yml
	git -c init.defaultBranch=main init --quiet
	git remote add origin https://github.com/example/terraform-provider-notification # never reached
	git add --all
	git -c commit.gpgSign=false commit --quiet --message check
	git -c tag.gpgSign=false tag "v$version"
	{
		"$root/$goreleaser" check && "$root/$goreleaser" release --skip="$skip" --release-notes="$work/notes.md"
	} >"$work/$copy.log" 2>&1 || {
		cat "$work/$copy.log"
		fail "the release failed"
	}
	# GoReleaser ignores release notes where its own changelog is disabled, without a word.
	grep -q 'generating changelog' "$work/$copy.log" || fail "the release is without its notes"
	cd "$root"
done

release=$work/first/dist
cmp "$release/${name}_SHA256SUMS" "$work/second/dist/${name}_SHA256SUMS" || fail "the release is not reproducible"
archive=notification-emulator_${version}_$platform.tar.gz
cmp "$release/$archive" "$work/second/dist/$archive" || fail "the emulator is not reproducible"
mkdir "$work/emulator"
tar -xzf "$release/$archive" -C "$work/emulator"
[ -e "$work/emulator/LICENSE" ] || fail "$archive lacks the terms"
emulator=$work/emulator/notification-emulator
[ "$("$emulator" --version)" = "notification-emulator $version" ] || fail "the emulator has another version"
for zip in "$release"/*.zip; do
	[ "$zip" = "$release/${name}_$platform.zip" ] || fail "a registry would take $zip for the provider"
done
if grep emulator "$release/${name}_SHA256SUMS"; then
	fail "the emulator is in the sums that a registry reads"
fi
manifest=${name}_manifest.json
cp terraform-registry-manifest.json "$release/$manifest"
for file in "${name}_$platform.zip" "$manifest"; do
	grep -q "  $file\$" "$release/${name}_SHA256SUMS" || fail "the sums lack $file"
done
(cd "$release" && sha256sum --check --strict --quiet "${name}_SHA256SUMS") || fail "the sums are wrong"
if [ "$skip" = publish,sbom ]; then
	gpg --batch --quiet --verify "$release/${name}_SHA256SUMS.sig" "$release/${name}_SHA256SUMS" 2>"$work/gpg.log" || {
		cat "$work/gpg.log"
		fail "the signature is wrong"
	}
fi
grep -q '"protocol_versions": \["6.0"\]' "$release/$manifest" || fail "the manifest lacks protocol 6.0"

# A mirror of archives: Terraform goes by their names and unpacks them.
mkdir -p "$work/mirror/$address" "$work/demo"
cp "$release/${name}_$platform.zip" "$work/mirror/$address/"
cp -R examples/demo/main.tf examples/demo/checkout "$work/demo/"
cat >"$work/terraform.rc" <<CONFIG
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path = "$work/mirror"
  }
}
CONFIG
export TF_CLI_CONFIG_FILE="$work/terraform.rc" TF_IN_AUTOMATION=1
cd "$work/demo"
# shellcheck disable=SC2016 # the inner shell expands it
"$emulator" exec -expect 1 -- sh -ec '"$0" init -input=false -no-color && "$0" apply -input=false -auto-approve -no-color' "$terraform" >"$work/demo.log" 2>&1 || {
	cat "$work/demo.log"
	fail "the demo failed with the release"
}
if [ "$skip" = publish,sbom ]; then
	cd "$root"
	sh tools/goreleaser/install.sh "$release" "$name" "$platform" "$terraform"
	gpgconf --kill all
fi
echo "Release $version for $platform: names, sums, manifest and reproducibility checked; the demo" \
	"applied with it and its emulator."
