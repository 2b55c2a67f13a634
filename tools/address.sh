#!/bin/sh
# Gives the provider another address, HOST/NAMESPACE/notification, everywhere in the working tree:
#
#	address.sh NEW
#
# The registries take a namespace for the GitHub organisation of that name. So the addresses of the
# repository, of the emulator's image, and of the provider in OpenTofu's registry get the new
# namespace as well.
set -eu
cd "$(dirname "$0")/.."
old=$(sed -n 's/^const Address = "\(.*\)"$/\1/p' internal/provider/provider.go)
new=$1
label='[a-z0-9]+(-[a-z0-9]+)*'
echo "$new" | grep -qE "^$label(\.$label)+/$label/notification\$" || {
	echo "NEW must be HOST/NAMESPACE/notification, in lower case; it is \"$new\"." >&2
	exit 1
}

host=$(echo "${old%%/*}" | sed 's/\./\\./g')
from=$(echo "$old" | cut -d / -f 2)
to=$(echo "$new" | cut -d / -f 2)
repository=terraform-provider-notification
mark=$(printf '\001') # what has the new address already

git -c core.quotePath=false ls-files --cached --others --exclude-standard | while read -r file; do
	[ ! -f "$file" ] || ! grep -qI . "$file" || echo "$file"
done >bin/address.files
count=0
while read -r file; do
	sed -E \
		-e "s#(^|[^a-z0-9.-])$host/((v1/)?providers/)?$from/notification#\1$mark/\2$to/notification#g" \
		-e "s#(^|[^a-z0-9.-])(registry|search)\.opentofu\.org/(provider/)?$from/notification#\1\2.opentofu.org/\3$to/notification#g" \
		-e "s#(github\.com/|--repo )$from/$repository#\1$to/$repository#g" \
		-e "s#ghcr\.io/$from/notification-emulator#ghcr.io/$to/notification-emulator#g" \
		-e "s#$mark#${new%%/*}#g" "$file" >bin/address.new
	cmp -s "$file" bin/address.new || {
		cat bin/address.new >"$file"
		count=$((count + 1))
	}
done <bin/address.files
rm bin/address.files bin/address.new
grep -qF "const Address = \"$new\"" internal/provider/provider.go || {
	echo "internal/provider/provider.go does not have the address $new." >&2
	exit 1
}
echo "$old is now $new, in $count files."
