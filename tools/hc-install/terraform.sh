#!/bin/sh
# Prints the path of Terraform or OpenTofu: from PATH, or else a pinned Terraform that hc-install
# installs into bin/.
set -eu
cd "$(dirname "$0")/../.."
. tools/versions.mk
version=1.11.4

for command in terraform tofu; do
	if command -v "$command"; then
		exit 0
	fi
done

mkdir -p bin
if [ ! -x bin/terraform ]; then
	echo "Neither terraform nor tofu is on PATH: installing Terraform $version into bin/." >&2
	if ! GOOS='' GOARCH='' GOFLAGS='' \
		go run "github.com/hashicorp/hc-install/cmd/hc-install@v$HC_INSTALL_VERSION" \
		install -version "$version" -path bin terraform >bin/hc-install.log 2>&1; then
		echo "Downloading Terraform $version failed, see bin/hc-install.log. Install Terraform" \
			"(https://developer.hashicorp.com/terraform/install) or OpenTofu" \
			"(https://opentofu.org/docs/intro/install) and put it on PATH." >&2
		exit 1
	fi
fi
echo "$PWD/bin/terraform"
