#!/bin/sh
# Prints the path of a Chromium that starts, and tells of those that do not. Where none does, it
# installs Debian's if INSTALL_CHROMIUM is set and this runs as root; otherwise it prints nothing.
set -eu

# starts PROGRAM fails, and leaves in $page what it printed, if it does not show an empty page.
# GitHub's Ubuntu has a chromium without a usable sandbox beside a google-chrome that works. Like
# the tests, it needs none as root.
starts() {
	set -- "$1" --headless --dump-dom
	[ "$(id -u)" != 0 ] || set -- "$@" --no-sandbox
	! command -v timeout >/dev/null || set -- timeout --kill-after=5 15 "$@"
	page=$("$@" about:blank 2>&1) || return
	case $page in *'<html'*) ;; *) return 1 ;; esac
}

find_one() {
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		path=$(command -v "$name") || continue
		case $path in /*) ;; *) path=$PWD/$path ;; esac
		if starts "$path"; then
			echo "$path"
			return
		fi
		echo "$path does not start: $(echo "$page" | tail -n 1)" >&2
	done
	return 1
}

find_one && exit
[ -n "${INSTALL_CHROMIUM:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
{
	apt-get update &&
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium
} >&2 || exit 0
find_one || true
