#!/bin/sh
# Builds a release for one platform from the working tree, without publishing it, and a filesystem
# mirror of it with a CLI configuration:
#
#	dist.sh FOLDER GORELEASER VERSION PLATFORM
#
# If GPG_FINGERPRINT is set, its key signs the checksums.
set -eu
cd "$(dirname "$0")/../.."
folder=$1 goreleaser=$2 version=$3 platform=$4
skip=sbom
[ -n "${GPG_FINGERPRINT:-}" ] || skip=sbom,sign
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

grep -qx "      - $platform" .goreleaser.yml || {
	echo "There is no release for $platform: it is not in .goreleaser.yml." >&2
	exit 1
}
{
	sed "/^      - [a-z]*_[a-z0-9]*\$/{/ $platform\$/!d;}" .goreleaser.yml
	echo "dist: $folder"
} >"$work/config.yml"
VERSION=$version "$goreleaser" release --snapshot --clean --skip="$skip" \
	--config "$work/config.yml" >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}

mirror=$(cd "$folder" && pwd)/mirror
for address in registry.terraform.io/notification/notification \
	registry.opentofu.org/notification/notification; do
	mkdir -p "$mirror/$address"
	cp "$folder/terraform-provider-notification_${version}_$platform.zip" "$mirror/$address/"
done
cat >"$folder/terraform.rc" <<END
provider_installation {
  filesystem_mirror {
    path    = "$mirror"
    include = ["notification/notification"]
  }
  direct {
    exclude = ["notification/notification"]
  }
}
END
ls -d "$folder"/*_*.zip "$folder"/*_*.tar.gz "$folder"/*SUMS* "$folder/terraform.rc"
