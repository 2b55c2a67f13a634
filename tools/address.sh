#!/bin/sh
# Gives the provider another source, [HOST/]NAMESPACE/notification, everywhere in the working tree:
#
#	address.sh NEW
#
# A HOST is that of a private registry. Where a source stands in a configuration, it is the whole
# text between two quotes, so that no path of a package or an image is taken for one. What has to be
# a full address names Terraform's registry, unless the source has a host of its own.
#
# The registries take a namespace for the GitHub organisation of that name. So the addresses of the
# repository, of the emulator's image, and of the provider in OpenTofu's registry get the new
# namespace as well.
set -eu
cd "$(dirname "$0")/.."
old=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)
new=$1
label='[a-z0-9]+(-[a-z0-9]+)*'
echo "$new" | grep -qE "^($label(\.$label)+/)?$label/notification\$" || {
	echo "NEW must be [HOST/]NAMESPACE/notification, in lower case; it is \"$new\"." >&2
	exit 1
}
case $new in registry.terraform.io/* | registry.opentofu.org/*)
	echo "Leave the host out of NEW: only that of a private registry belongs there." >&2
	exit 1
	;;
esac

# full SOURCE prints the address as Terraform completes it.
full() {
	case $1 in
	*/*/*) echo "$1" ;;
	*) echo "registry.terraform.io/$1" ;;
	esac
}
# pattern TEXT prints a regular expression for the text.
pattern() { echo "$1" | sed 's/\./\\./g'; }
from=$(full "$old") to=$(full "$new")
from_host=$(pattern "${from%%/*}") from=${from#*/}
to_host=${to%%/*} to=${to#*/}
repository=terraform-provider-notification

count=$(sh tools/rewrite.sh "
s#\"$(pattern "$old")\"#\"$new\"#g
s#(^|[^a-z0-9.-])$from_host/((v1/)?providers/)?$from#\\1$to_host/\\2$to#g
s#(registry|search)\\.opentofu\\.org/(provider/)?$from#\\1.opentofu.org/\\2$to#g
s#(github\\.com/|--repo )${from%/*}/$repository#\\1${to%/*}/$repository#g
s#ghcr\\.io/$from-emulator#ghcr.io/$to-emulator#g")
grep -qF "const Source = \"$new\"" internal/provider/provider.go || {
	echo "internal/provider/provider.go does not have the source $new." >&2
	exit 1
}
echo "$old is now $new, in $count files."
