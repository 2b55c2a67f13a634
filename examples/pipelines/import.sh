#!/bin/sh
# Records notifications that arrived, so that no apply sends them again:
#
#	sh import.sh 'ADDRESS ID ADDRESS ID'
#
# Where nobody knows the ID, it is the word unknown. Run it after `terraform init`, in the workspace
# and with the tag and variables of the run that sent them, and then apply that release.
set -euf
# shellcheck disable=SC2048,SC2086 # splits an argument that holds several words
set -- $*
if [ $# = 0 ] || [ $(($# % 2)) = 1 ]; then
	echo "usage: sh import.sh 'ADDRESS ID ADDRESS ID'" >&2
	exit 2
fi

address=
for word; do
	if [ -z "$address" ]; then
		address=$word
		continue
	fi
	if terraform state list | grep -Fqx "$address"; then
		terraform state rm "$address" # an older release, which a killed run has replaced
	fi
	terraform import -input=false "$address" "$word"
	address=
done

# The addresses that the plan would send, without those that were imported, are as many as before.
terraform plan -input=false -out=import.tfplan
terraform show -json import.tfplan | jq -e --args '[.resource_changes[]? |
  select(.type == "notification_notification" and (.change.actions | index("create"))) | .address] |
  . - $ARGS.positional == .' "$@" >/dev/null || {
	echo "The plan would send a notification that was imported: do not apply it." >&2
	exit 1
}
