#!/bin/sh
# Builds the image of the emulator from the archives of a release, and checks it:
#
#	image.sh [--push NAME] FOLDER VERSION PLATFORM...
#
# FOLDER is absolute, or below the root of the repository. PLATFORM is that of an archive, linux_ARCH,
# of which there must be one at least. The image for this machine is run as well, as its user
# and with nothing but its files: it accepts a notification, and SIGTERM ends it. With --push, the
# images are copied to NAME as one list, whose digest is printed. NAME is of a form that buildah
# takes, such as docker://HOST/NAME:TAG or dir:FOLDER. The format is Docker's: that of OCI has no
# health check.
#
# Needs buildah, curl and jq, but neither a daemon nor privileges. The same archives give the same
# images, but for an id that Docker's format has and buildah draws; none of them stays in a store.
set -eu
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || exec buildah unshare sh tools/release/image.sh "$@"
name=
if [ "$1" = --push ]; then
	name=$2
	shift 2
fi
release=$1 version=$2
shift 2
namespace=$(sed -n 's,^const Source = "\(.*\)/.*"$,\1,p' internal/provider/provider.go)
namespace=${namespace##*/}
user=65532:65532
entrypoint="/notification-emulator serve -listen 0.0.0.0:8080 -client-secret emulator-secret"
health='["CMD","/notification-emulator","health"]'
process=
work=$(mktemp -d)
trap finish EXIT
trap 'exit 1' HUP INT TERM

finish() {
	[ -z "$process" ] || kill "$process" 2>/dev/null || true
	rm -rf "$work"
}

fail() {
	echo "The image of the emulator $version: $1." >&2
	exit 1
}

store() {
	buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs "$@"
}

# build ARCH adds the image to the list, with the time of the release's commit in it.
build() {
	archive=notification-emulator_${version}_linux_$1.tar.gz
	[ -f "$release/$archive" ] || fail "there is no $release/$archive"
	tar -xzf "$release/$archive" -C "$work" LICENSE || fail "$archive has no LICENSE"
	seconds=$(date -r "$work/LICENSE" +%s)
	store bud --quiet --format docker --platform "linux/$1" --build-arg "VERSION=$version" \
		--timestamp "$seconds" --identity-label=false --manifest list --iidfile "$work/image" \
		--file internal/cmd/notification-emulator/Dockerfile "$release" >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		fail "it cannot be built"
	}
	image=$(cat "$work/image")
}

# check ARCH looks at the image that was built last, and leaves its files in $files.
check() {
	store inspect --type image "$image" | jq -r '(.OCIv1 | "\(.os)/\(.architecture)", .created,
		(.config | .User, (.ExposedPorts // {} | keys[]), (.Entrypoint + .Cmd | join(" ")),
		(.Labels // {} | to_entries[] | "\(.key)=\(.value)"))),
		(.Docker.config.Healthcheck.Test | tojson)' >"$work/config"
	diff - "$work/config" >&2 <<END || fail "its configuration is wrong"
linux/$1
$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)
$user
8080/tcp
$entrypoint
org.opencontainers.image.licenses=MPL-2.0
org.opencontainers.image.source=https://github.com/$namespace/terraform-provider-notification
org.opencontainers.image.version=$version
$health
END
	files=$(store mount "$(store from "$image")")
	printf '%s\n' ./LICENSE ./THIRD_PARTY_NOTICES.txt ./notification-emulator >"$work/expected"
	(cd "$files" && find . -mindepth 1 | LC_ALL=C sort) | diff "$work/expected" - >&2 ||
		fail "it has other files"
	for each in LICENSE THIRD_PARTY_NOTICES.txt; do
		cmp "$files/$each" "$each" >&2 || fail "it has another $each"
	done
}

# run starts what is in $files as a container would, but for a port that is free here.
run() {
	mkfifo "$work/exports"
	# shellcheck disable=SC2086 # a word for each
	timeout --foreground --signal=KILL 30 env -i PATH="$PATH" chroot --userspec=$user --groups= "$files" \
		$entrypoint -listen 127.0.0.1:0 >"$work/exports" 2>"$work/log" &
	process=$!
	exec 3<"$work/exports"
	url=
	while [ -z "$url" ] && read -r line <&3; do
		url=$(echo "$line" | sed -n "s/^export NOTIFICATION_BASE_URL='\(.*\)'\$/\1/p")
	done
	[ -n "$url" ] && submit || {
		cat "$work/log" >&2
		fail "it does not start, or accepts no notification"
	}
	# shellcheck disable=SC2046 # a word for each
	env -i PATH="$PATH" NOTIFICATION_EMULATOR_URL="$url" chroot --userspec=$user --groups= "$files" \
		$(echo "$health" | jq -r '.[1:][]') | jq -e --arg version "$version" \
		'.version == $version' >/dev/null || fail "its health check fails"
	kill -TERM "$process"
	wait "$process" || fail "SIGTERM does not end it"
	process=
	exec 3<&-
}

submit() {
	set -- curl --fail --silent --show-error --max-time 10
	token=$("$@" "$url/oauth2/token" --data grant_type=client_credentials \
		--data client_id=demo-client --data client_secret=emulator-secret | jq -er .access_token) &&
		"$@" "$url/notifications/v1" --header "Authorization: Bearer $token" \
			--header "Content-Type: application/json" \
			--data '{"priority": "HIGH", "channels": [{"type": "slack"}]}' >/dev/null &&
		"$@" "$url/_emulator/ledger" | jq -e '.notifications == 1' >/dev/null
}

[ $# -gt 0 ] || fail "no platform is given"
host=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
for platform; do
	build "${platform#linux_}"
	check "${platform#linux_}"
	[ "$platform" != "$host" ] || run
done
[ -n "$name" ] || exit 0
# Some versions of buildah exit with 0 when a push failed, and say nothing.
store manifest push --all --quiet --format v2s2 --digestfile "$work/digest" list "$name" >&2 &&
	grep '^sha256:' "$work/digest" || fail "it was not pushed to $name"
