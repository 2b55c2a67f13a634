#!/bin/sh
# Builds the image of the emulator from the archives of a release, and tests it:
#
#	image.sh [--push NAME] FOLDER VERSION PLATFORM...
#
# FOLDER is absolute or relative to the root of the repository. PLATFORM is linux_ARCH. The image
# for this machine is also run, as its user and with only its files: it must accept a notification,
# and exit on SIGTERM. With --push, a manifest list of the images is copied to NAME, and its digest
# is printed. NAME is a destination of buildah, such as docker://HOST/NAME:TAG or dir:FOLDER. The
# format is Docker's, since OCI's has no health check.
#
# Needs buildah, curl and jq, but neither a daemon nor privileges. Keeps no images in local storage.
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
process=
work=$(mktemp -d)
trap finish EXIT
trap 'exit 1' HUP INT TERM

finish() {
	[ -z "$process" ] || kill "$process" 2>/dev/null || true
	rm -rf "$work"
}

fail() {
	cat "$work/log" >&2
	echo "The image of the emulator $version: $1." >&2
	exit 1
}

store() {
	buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs "$@"
}

# build ARCH adds an image to the list, dated as the release's commit, and mounts its files at
# $files.
build() {
	tar -xzf "$release/notification-emulator_${version}_linux_$1.tar.gz" -C "$work" LICENSE
	store bud --quiet --format docker --platform "linux/$1" --build-arg "VERSION=$version" \
		--timestamp "$(date -r "$work/LICENSE" +%s)" --identity-label=false --manifest list \
		--iidfile "$work/image" --file internal/cmd/notification-emulator/Dockerfile \
		"$release" >"$work/log" 2>&1 ||
		fail "it cannot be built"
	files=$(store mount "$(store from "$(cat "$work/image")")")
	ls -A "$files" | LC_ALL=C sort >"$work/log"
	printf '%s\n' LICENSE THIRD_PARTY_NOTICES.txt notification-emulator | cmp -s - "$work/log" ||
		fail "it has other files"
}

# configured FILTER prints a part of the configuration of the last image.
configured() {
	store inspect --type image "$(cat "$work/image")" | jq -er "$1"
}

# run starts the emulator in $files as a container would, but on a free port.
run() {
	user=$(configured .OCIv1.config.User)
	set -- env -i PATH="$PATH" chroot --userspec="$user" --groups= "$files"
	mkfifo "$work/exports"
	# shellcheck disable=SC2046 # one word for each argument
	timeout --foreground --signal=KILL 30 "$@" $(configured '.OCIv1.config.Entrypoint[]') \
		-listen 127.0.0.1:0 >"$work/exports" 2>"$work/log" &
	process=$!
	exec 3<"$work/exports"
	url=
	while [ -z "$url" ] && read -r line <&3; do
		url=$(echo "$line" | sed -n "s/^export NOTIFICATION_BASE_URL='\(.*\)'\$/\1/p")
	done
	[ -n "$url" ] && submit || fail "it does not start, or accepts no notification"
	# shellcheck disable=SC2046 # one word for each argument
	"$@" $(configured '.Docker.config.Healthcheck.Test[1:][]') "$url" >>"$work/log" 2>&1 ||
		fail "its health check fails"
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
			--data '{"priority": "HIGH", "channels": [{"type": "slack"}]}' >>"$work/log"
}

host=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
for platform; do
	build "${platform#linux_}"
	[ "$platform" != "$host" ] || run
done
[ -n "$name" ] || exit 0
# Some versions of buildah silently exit with 0 after a failed push.
store manifest push --all --quiet --format v2s2 --digestfile "$work/digest" list "$name" >&2 &&
	grep '^sha256:' "$work/digest" || fail "it was not pushed to $name"
