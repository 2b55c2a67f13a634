#!/bin/sh
# Prints the full addresses of the provider, one a line. A mirror holds it under each of them: in
# the registries of Terraform and OpenTofu, or in a private one.
#
#	addresses.sh [PROGRAM]
#
# With PROGRAM, prints only the address under which this Terraform or OpenTofu looks for it.
set -eu
cd "$(dirname "$0")/.."
provider=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)
hosts="registry.terraform.io registry.opentofu.org"
case $provider in
*/*/*)
	echo "$provider"
	exit
	;;
esac
if [ $# -gt 0 ]; then
	case $(CHECKPOINT_DISABLE=1 "$1" version) in
	*OpenTofu*) hosts=${hosts#* } ;;
	*) hosts=${hosts% *} ;;
	esac
fi
for host in $hosts; do
	echo "$host/$provider"
done
