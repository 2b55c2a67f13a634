#!/bin/sh
# Checks .goreleaser.yml. Makes a release from a copy of the working tree, twice, which must give
# the same bytes, and publishes nothing. Checks the release notes, and the file names, sums and
# manifest that registries require; the signature, with a temporary key, if gpg is installed;
# applies examples/demo with the provider and the emulator of the release; and runs the commands of
# docs/guides/installing.md on its archives.
#
#	check.sh [--all] GORELEASER ADDRESS VERSION PLATFORM
#
# The release has one platform, that of the machine. With --all it has every platform, and SBOMs by
# the SYFT of the environment. It is then also installed by a lock file, from a filesystem mirror
# and a network mirror, and with OpenTofu as well: the TOFU of the environment, or tofu on PATH.
set -eu
cd "$(dirname "$0")/../.."
all=
if [ "$1" = --all ]; then
	all=yes
	shift
fi
goreleaser=$PWD/$1 address=$2 version=$3 platform=$4

name=terraform-provider-notification_$version
sums=${name}_SHA256SUMS
manifest=${name}_manifest.json
root=$PWD
terraform=$(sh tools/hc-install/terraform.sh)
work=$(mktemp -d)
release=$work/first/dist
skip=publish
trap finish EXIT

finish() {
	[ ! -d "$work/gnupg" ] || gpgconf --kill all
	rm -rf "$work"
}

fail() {
	echo "$1" >&2
	exit 1
}

# expect TEXT LOG COMMAND... fails with the text, and what the command printed, if it fails.
expect() {
	text=$1 log=$2
	shift 2
	"$@" >"$log" 2>&1 || {
		cat "$log" >&2
		fail "$text"
	}
}

# That of the machine comes first.
list_platforms() {
	echo "$platform"
	[ -z "$all" ] ||
		sed -n 's/^      - \([a-z]*_[a-z0-9]*\)$/\1/p' .goreleaser.yml | grep -v "^$platform\$"
}

make_key() {
	if ! command -v gpg >/dev/null; then
		[ -z "$all" ] || fail "gpg is not installed."
		echo "gpg is not installed: neither the signature nor the guide is checked." >&2
		skip=$skip,sign
		return
	fi
	export GNUPGHOME="$work/gnupg"
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-generate-key check@example.com rsa3072 sign never
	GPG_FINGERPRINT=$(gpg --batch --quiet --list-keys --with-colons 2>/dev/null |
		awk -F: '/^fpr/ { print $10; exit }')
	export GPG_FINGERPRINT
}

find_syft() {
	if [ -z "$all" ]; then
		skip=$skip,sbom
		return
	fi
	mkdir "$work/bin"
	ln -s "$(realpath "$SYFT")" "$work/bin/syft"
	PATH="$work/bin:$PATH"
}

# copy_tree FOLDER makes a repository of the working tree. A release needs a tagged commit.
copy_tree() {
	mkdir "$1"
	git ls-files --cached --others --exclude-standard | while read -r file; do
		[ ! -e "$file" ] || echo "$file"
	done | tar -cf - -T - | tar -xf - -C "$1"
	cd "$1"
	[ -n "$all" ] || sed -i "/^      - [a-z]*_[a-z0-9]*\$/{/ $platform\$/!d}" .goreleaser.yml
	git -c init.defaultBranch=main init --quiet
	git remote add origin https://github.com/example/terraform-provider-notification # never reached
	git add --all
	git -c commit.gpgSign=false commit --quiet --message check
	git -c tag.gpgSign=false tag "v$version"
	cd "$root"
}

# make_release COPY SKIP makes the release, as the workflow does, except for what is skipped.
# GoReleaser ignores release notes where its own changelog is disabled, without a word.
make_release() {
	copy_tree "$work/$1"
	cd "$work/$1"
	expect "the configuration is wrong" "$work/check.log" "$goreleaser" check
	expect "the release failed" "$work/$1.log" \
		"$goreleaser" release --skip="$2" --release-notes="$work/notes.md"
	grep -q 'generating changelog' "$work/$1.log" || fail "the release is without its notes"
	cd "$root"
}

check_notes() {
	sh tools/goreleaser/notes_test.sh "$version"
	sh tools/goreleaser/notes.sh --unreleased "$version" >"$work/notes.md"
}

check_reproducible() {
	for copy in first second; do
		grep -v '\.sbom\.json$' "$work/$copy/dist/$sums" >"$work/$copy.sums"
	done
	cmp "$work/first.sums" "$work/second.sums" || fail "the release is not reproducible"
	for each in $platforms; do
		archive=notification-emulator_${version}_$each.tar.gz
		cmp "$release/$archive" "$work/second/dist/$archive" ||
			fail "the emulator is not reproducible"
	done
}

# A registry takes every archive for the provider, and reads what is in the sums.
check_names() {
	for each in $platforms; do
		echo "${name}_$each.zip"
	done | sort >"$work/archives"
	(cd "$release" && ls -- *.zip) | sort | diff "$work/archives" - ||
		fail "a registry would take other archives"
	{
		cat "$work/archives"
		echo "$manifest"
		[ -z "$all" ] || sed 's/$/.sbom.json/' "$work/archives"
	} | sort >"$work/names"
	sed 's/.*  //' "$release/$sums" | sort | diff "$work/names" - ||
		fail "the sums are those of other files"
}

check_sums() {
	(cd "$release" && sha256sum --check --strict --quiet "$sums") || fail "the sums are wrong"
	grep -q '"protocol_versions": \["6.0"\]' "$release/$manifest" ||
		fail "the manifest lacks protocol 6.0"
	[ ! -d "$work/gnupg" ] || expect "the signature is wrong" "$work/gpg.log" \
		gpg --batch --quiet --verify "$release/$sums.sig" "$release/$sums"
}

# What syft finds in a binary of Go is what the binary was built from.
check_sboms() {
	[ -n "$all" ] || return 0
	while read -r archive; do
		for text in 'Tool: syft-[0-9]' github.com/hashicorp/terraform-plugin-framework MPL-2.0; do
			grep -q "$text" "$release/$archive.sbom.json" ||
				fail "the SBOM of $archive lacks $text"
		done
	done <"$work/archives"
}

unpack_emulator() {
	archive=notification-emulator_${version}_$platform.tar.gz
	mkdir "$work/emulator"
	tar -xzf "$release/$archive" -C "$work/emulator"
	[ -e "$work/emulator/LICENSE" ] || fail "$archive lacks the terms"
	emulator=$work/emulator/notification-emulator
	[ "$("$emulator" --version)" = "notification-emulator $version" ] ||
		fail "the emulator has another version"
}

# apply_demo PROGRAM installs from a mirror of archives, in which they are found by their names.
apply_demo() {
	rm -rf "$work/demo" "$work/mirror"
	mkdir -p "$work/mirror/$address" "$work/demo"
	cp "$release/$name"_*.zip "$work/mirror/$address/"
	cp -R examples/demo/main.tf examples/demo/checkout "$work/demo/"
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
	expect "the demo failed with the release and $1" "$work/demo.log" \
		env TF_CLI_CONFIG_FILE="$work/terraform.rc" TF_IN_AUTOMATION=1 \
		"$emulator" exec -expect 1 -- sh -ec '"$0" init -input=false -no-color
			"$0" apply -input=false -auto-approve -no-color' "$1"
	cd "$root"
}

install_with() {
	apply_demo "$1"
	# shellcheck disable=SC2086 # a word for each
	[ ! -d "$work/gnupg" ] || sh tools/goreleaser/install.sh "$release" "$name" "$1" $platforms
}

# A token might publish.
unset GITHUB_TOKEN GITLAB_TOKEN GITEA_TOKEN
export GIT_AUTHOR_NAME=check GIT_AUTHOR_EMAIL=check@example.com
export GIT_AUTHOR_DATE=2000-01-01T00:00:00Z
export GIT_COMMITTER_NAME=check GIT_COMMITTER_EMAIL=check@example.com
export GIT_COMMITTER_DATE=2000-01-01T00:00:00Z

platforms=$(list_platforms)
check_notes
make_key
find_syft
make_release first "$skip"
cp terraform-registry-manifest.json "$release/$manifest"
make_release second publish,sbom,sign
check_reproducible
check_names
check_sums
check_sboms
unpack_emulator
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
echo "Release $version for" $platforms: "names, notes, sums, manifest and reproducibility" \
	"checked; the demo applied with it and its emulator."
