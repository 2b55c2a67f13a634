#!/bin/sh
# Builds a release from a copy of the working tree, as the workflow builds it from a tag:
#
#	build.sh FOLDER GORELEASER VERSION [PLATFORM]
#
# The folder is made; the files of the release are in its dist afterwards. Without PLATFORM, those
# are for every platform, with SBOMs by syft, which must be on PATH.
set -eu
cd "$(dirname "$0")/../.."
folder=$1 goreleaser=$2 version=$3 platform=${4:-}

expect() {
	"$@" >"$folder.log" 2>&1 || {
		cat "$folder.log" >&2
		echo "The release cannot be built: $1 failed." >&2
		exit 1
	}
}

[ -z "$platform" ] || sh tools/release/platforms.sh | grep -qx "$platform" || {
	echo "There is no release for $platform: it is not in .goreleaser.yml." >&2
	exit 1
}
sh tools/release/copy.sh "$folder"

# A token might publish.
unset GITHUB_TOKEN GITLAB_TOKEN GITEA_TOKEN
# shellcheck disable=SC2046 # a word for each
unset $(git rev-parse --local-env-vars)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=check GIT_AUTHOR_EMAIL=check@example.com
export GIT_AUTHOR_DATE=2000-01-01T00:00:00Z
export GIT_COMMITTER_NAME=check GIT_COMMITTER_EMAIL=check@example.com
export GIT_COMMITTER_DATE=2000-01-01T00:00:00Z

cd "$folder"
if [ -n "$platform" ]; then
	sed "/^      - [a-z]*_[a-z0-9]*\$/{/ $platform\$/!d;}" .goreleaser.yml >"$folder.yml"
	cp "$folder.yml" .goreleaser.yml
fi
# A release needs a tagged commit.
git remote add origin https://git.example.com/release/check # never reached
git add --all
git commit --quiet --message check
git tag "v$version"

expect "$goreleaser" check
expect "$goreleaser" release --skip="publish${platform:+,sbom}"
cp terraform-registry-manifest.json \
	"dist/terraform-provider-notification_${version}_manifest.json"
