#!/bin/sh
# Changes the provider's source to [HOST/]NAMESPACE/notification in all files that git tracks, and
# the namespace in the addresses of the Go module, the registries, GitHub and the image.
set -eu
cd "$(dirname "$0")/.."
new=$1
label='[a-z0-9]+(-[a-z0-9]+)*'
echo "$new" | grep -vE '^registry\.(terraform\.io|opentofu\.org)/' |
	grep -qE "^($label(\.$label)+/)?$label/notification\$" || {
	echo "NEW must be [HOST/]NAMESPACE/notification in lower case, with HOST only for a private" \
		"registry." >&2
	exit 1
}
old=$(sed -n 's/^const Source = "\(.*\)"$/\1/p' internal/provider/provider.go)
case $old in */*/*) from=$old ;; *) from=registry.terraform.io/$old ;; esac
case $new in */*/*) to=$new ;; *) to=registry.terraform.io/$new ;; esac
before=${from#*/} after=${to#*/} repository=terraform-provider-notification
git grep -lIz -e "${before%/*}/" | xargs -0 perl -pi -e "
	s#\"$old\"#\"$new\"#g;
	s#${from%%/*}/((v1/)?providers/)?$before#${to%%/*}/\${1}$after#g;
	s#opentofu\.org/(provider/)?$before#opentofu.org/\${1}$after#g;
	s#([ /=])${before%/*}/$repository#\${1}${after%/*}/$repository#g;
	s#ghcr\.io/$before-emulator#ghcr.io/$after-emulator#g"
