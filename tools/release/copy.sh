#!/bin/sh
# Copies the files of the working tree, as a commit of all of them would have them, into a folder,
# and makes that a repository:
#
#	copy.sh FOLDER
#
# Neither the environment of a git hook nor the user's configuration concerns the copy.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
# shellcheck disable=SC2046 # a word for each
unset $(git rev-parse --local-env-vars)
mkdir -p "$folder"
git -c core.quotePath=false ls-files --cached --others --exclude-standard | while read -r file; do
	[ ! -e "$file" ] || echo "$file"
done | tar -cf - -T - | tar -xf - -C "$folder"
cd "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git -c init.defaultBranch=main init --quiet
git add --all
