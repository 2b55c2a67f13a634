#!/bin/sh
# Tests address.sh in a repository of its own.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2046 # a word for each
unset $(git rev-parse --local-env-vars)

fail() {
	echo "address.sh: $1" >&2
	exit 1
}

# text SOURCE HOST NAMESPACE prints what a repository has that is released under that source, which
# Terraform finds at that host. What is not between @ stays as it is.
text() {
	sed "s#@source@#$1#; s#@host@#$2#g; s#@namespace@#$3#g" <<'END'
const Source = "@source@"
source = "@source@"
    "@source@" = "/bin"
include = ["@source@"]
  "@source@"
"provider": "provider[\"@host@/@namespace@/notification\"]",
mkdir -p "$mirror/@host@/@namespace@/notification"
for each in @host@/@namespace@/notification registry.opentofu.org/@namespace@/notification; do
https://@host@/providers/@namespace@/notification/latest/docs
https://@host@/v1/providers/@namespace@/notification/1.0.0/download/linux/amd64
https://search.opentofu.org/provider/@namespace@/notification/latest
https://github.com/@namespace@/terraform-provider-notification/releases
gh attestation verify archive --repo @namespace@/terraform-provider-notification
image: ghcr.io/@namespace@/notification-emulator:VERSION
import "terraform-provider-notification/internal/acme/notification"
"internal/acme/notification", internal/acme/notification/notification.go and acme/notification.go
Each acme/notification of ours is one; other.example.com/acme/notification, github.com/acme/other,
ghcr.io/acme/other and "acme/notifications" are others.
So are a.registry.terraform.io/acme/notification and registry-terraform.io/acme/notification.
Sign in to registry.terraform.io, or to registry.example.com.
END
}

mkdir -p "$work/tools" "$work/internal/provider" "$work/bin"
cp tools/address.sh tools/rewrite.sh "$work/tools/"
cd "$work"
git -c init.defaultBranch=main init --quiet
text acme/notification registry.terraform.io acme >internal/provider/provider.go
cp internal/provider/provider.go untracked
git add internal

# move SOURCE HOST NAMESPACE
move() {
	sh tools/address.sh "$1" >bin/log || fail "it failed for $1"
	text "$@" | diff - internal/provider/provider.go >&2 || fail "after $1, these lines are wrong"
}
move other/notification registry.terraform.io other
text acme/notification registry.terraform.io acme | cmp - untracked
move acme/notification registry.terraform.io acme
move registry.example.com/other/notification registry.example.com other
move registry.example.com/acme/notification registry.example.com acme
move example.org/acme/notification example.org acme
move acme/notification registry.terraform.io acme

for each in notification acme/other Acme/notification registry.example.com/notification/other \
	registry.terraform.io/acme/notification registry.opentofu.org/acme/notification; do
	! sh tools/address.sh "$each" 2>bin/log || fail "it accepted $each"
done
text acme/notification registry.terraform.io acme | cmp - internal/provider/provider.go
