#!/bin/sh
# Prints the path of a Chromium that starts, and reports the ones that do not. If there is none, it
# installs Debian's, but only as root and with INSTALL_CHROMIUM set; otherwise it prints nothing.
set -eu

# starts PROGRAM fails unless PROGRAM renders an empty HTML page, and stores its output in $page.
# GitHub's Ubuntu has a chromium without a usable sandbox, and a google-chrome that works. As root,
# PROGRAM runs without a sandbox, as in the tests.
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
