#!/bin/sh
# Signs the checksums of a release with a detached binary signature, as the registries require:
#
#	sign.sh FOLDER VERSION FINGERPRINT
set -eu
sums=$1/terraform-provider-notification_$2_SHA256SUMS
rm -f "$sums.sig"
gpg --batch --no-armor --local-user "$3" --output "$sums.sig" --detach-sign "$sums"
