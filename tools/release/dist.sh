#!/bin/sh
# Builds the archives of one platform from the working tree into dist/, with a filesystem mirror of
# them, and a CLI configuration that names it:
#
#	dist.sh GORELEASER VERSION PLATFORM
set -eu
cd "$(dirname "$0")/../.."
goreleaser=$1 version=$2 platform=$3
name=terraform-provider-notification_$version
source=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)

sh tools/release/version.sh "$version"
sh tools/release/platforms.sh | grep -qx "$platform" || {
	echo "There is no release for $platform: it is not in .goreleaser.yml." >&2
	exit 1
}
sed "/^      - [a-z]*_[a-z0-9]*\$/{/ $platform\$/!d;}" .goreleaser.yml >bin/dist.yml
VERSION=$version "$goreleaser" release --snapshot --clean --skip=sbom --config bin/dist.yml \
	>bin/dist.log 2>&1 || {
	cat bin/dist.log >&2
	exit 1
}
cp terraform-registry-manifest.json "dist/${name}_manifest.json"
sh tools/release/verify.sh dist "$version" "$platform"
for address in $(sh tools/addresses.sh); do
	mkdir -p "dist/mirror/$address"
	cp "dist/${name}_$platform.zip" "dist/mirror/$address/"
done
cat >dist/terraform.rc <<END
provider_installation {
  filesystem_mirror {
    path    = "$PWD/dist/mirror"
    include = ["$source"]
  }
  direct {
    exclude = ["$source"]
  }
}
END
find dist -maxdepth 1 -name '*_*' -type f | sort
echo dist/terraform.rc
