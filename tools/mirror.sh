#!/bin/sh
# Adds the provider to FOLDER/mirror, a filesystem mirror. With the files that a release has, it has
# the checksum of a release. FOLDER/terraform.rc is a CLI configuration for the mirror:
#
#	mirror.sh FOLDER PROVIDER VERSION PLATFORM [FILE...]
set -eu
cd "$(dirname "$0")/.."
folder=$1 provider=$2 version=$3 platform=$4
shift 4
for address in registry.terraform.io/notification/notification \
	registry.opentofu.org/notification/notification; do
	package=$folder/mirror/$address/$version/$platform
	rm -rf "$package"
	mkdir -p "$package"
	cp "$provider" "$@" "$package"
done
cat >"$folder/terraform.rc" <<EOF
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path    = "$(cd "$folder" && pwd)/mirror"
    include = ["notification/notification"]
  }
  direct {
    exclude = ["notification/notification"]
  }
}
EOF
