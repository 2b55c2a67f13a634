#!/bin/sh
# Prints the platforms of a release: the targets in .goreleaser.yml.
set -eu
cd "$(dirname "$0")/../.."
sed -n 's/^      - \([a-z0-9]*_[a-z0-9]*\)$/\1/p' .goreleaser.yml | grep .
