#!/bin/sh
# Applies this example with the provider that was just built, from a filesystem
# mirror. It writes only to .demo, which it deletes first: a lock file would keep
# the checksum of the previous build.
set -eu
provider=$1 emulator=$2 version=$3 platform=$4

terraform=$(sh tools/hc-install/terraform.sh)
rm -rf .demo
mkdir -p .demo/run
sh tools/mirror.sh .demo "$provider" "$version" "$platform"
cp -R examples/demo/main.tf examples/demo/checkout .demo/run/

# The user's settings for Terraform must not affect the demo.
for variable in $(env | sed -n 's/^\(TF_[A-Za-z0-9_]*\)=.*/\1/p'); do
	unset "$variable"
done
export TF_CLI_CONFIG_FILE="$PWD/.demo/terraform.rc" TF_IN_AUTOMATION=1
[ -t 1 ] || export TF_CLI_ARGS=-no-color

# init warns that the lock file is for this platform only, which does not matter here: its output is
# shown only if it fails.
emulator=$PWD/$emulator
cd .demo/run
exec "$emulator" exec -expect 1 -- sh -c '
	output=$("$0" init -input=false 2>&1) || {
		status=$?
		printf "%s\n" "$output" >&2
		exit "$status"
	}
	exec "$0" apply -input=false -auto-approve -var release=v1.4.2
' "$terraform"
