#!/bin/sh
# Builds the archives of one platform from the working tree into dist/, with a filesystem mirror and
# a CLI configuration that uses it:
#
#	dist.sh GORELEASER VERSION PLATFORM
set -eu
cd "$(dirname "$0")/../.."
goreleaser=$1 version=$2 platform=$3

sh tools/release/build.sh dist "$goreleaser" "$version" "$platform"
sh tools/release/verify.sh dist "$version" "$platform"
for address in registry.terraform.io/notification/notification \
	registry.opentofu.org/notification/notification; do
	mkdir -p "dist/mirror/$address"
	cp "dist/terraform-provider-notification_${version}_$platform.zip" "dist/mirror/$address/"
done
cat >dist/terraform.rc <<END
provider_installation {
  filesystem_mirror {
    path    = "$PWD/dist/mirror"
    include = ["notification/notification"]
  }
  direct {
    exclude = ["notification/notification"]
  }
}
END
find dist -maxdepth 1 -name '*_*' -type f | sort
echo dist/terraform.rc
