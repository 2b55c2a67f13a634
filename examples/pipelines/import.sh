#!/bin/sh
# Records notifications that arrived, so that no apply sends them again:
#
#	sh import.sh 'ADDRESS ID ADDRESS ID'
#
# Where nobody knows the ID, it is the word unknown. Run it after `terraform init`, in the workspace
# and with the tag and variables of the run that sent them, and then apply that release. If the
# variables are in a file, set TF_CLI_ARGS_plan and TF_CLI_ARGS_import to -var-file=FILE.
set -euf
# shellcheck disable=SC2048,SC2086 # splits an argument that holds several words
set -- $*
if [ $# = 0 ] || [ $(($# % 2)) = 1 ]; then
	echo "usage: sh import.sh 'ADDRESS ID ADDRESS ID'" >&2
	exit 2
fi

# Prints the addresses that the plan would send.
pending() {
	terraform plan -input=false -out=import.tfplan >&2 &&
		terraform show -json import.tfplan | jq -r '.resource_changes[]? |
			select(.type == "notification_notification" and (.change.actions | index("create"))) |
			.address'
}

# An older release in the state, which a killed run has replaced, makes way. A newer record stays.
before=$(pending)
recorded=$(terraform state list)
address=
for word; do
	if [ -z "$address" ]; then
		address=$word
		continue
	fi
	if echo "$before" | grep -Fqx "$address"; then
		if echo "$recorded" | grep -Fqx "$address"; then
			terraform state rm "$address"
		fi
		terraform import -input=false "$address" "$word"
	elif echo "$recorded" | grep -Fqx "$address"; then
		echo "The state has $address already." >&2
	else
		echo "The configuration has no notification $address." >&2
		exit 1
	fi
	address=
done

after=$(pending)
for word; do
	if echo "$after" | grep -Fqx "$word"; then
		echo "The plan would send $word, which was imported: do not apply it." >&2
		exit 1
	fi
done
