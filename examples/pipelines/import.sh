#!/bin/sh
# Records notifications that arrived, so that no apply sends them again:
#
#	sh import.sh 'ADDRESS ID ADDRESS ID'
#
# or each ADDRESS and its ID on a line of its own. If nobody knows the ID, it is the word unknown.
# It needs jq. Run it after `terraform init`, in the workspace and with the tag and variables of the
# run that sent them. If the variables are in a file, set TF_CLI_ARGS_plan and TF_CLI_ARGS_import to
# -var-file=FILE.
set -euf
IFS='
' # from here on, each word is a line: deployed["data platform"] is one word
# shellcheck disable=SC2046
set -- $(printf '%s\n' "$*" | grep -oE '([^[:space:]"]|"([^"\\]|\\.)*")+')
if [ $# = 0 ] || [ $(($# % 2)) = 1 ]; then
	echo "usage: sh import.sh 'ADDRESS ID ADDRESS ID', or each ADDRESS and its ID on a line" >&2
	exit 2
fi

# Succeeds if a list has the address.
has() {
	printf '%s\n' "$1" | grep -Fqx "$2"
}

# Prints the notifications of import.tfplan whose actions match. jq accepts an empty input, so if
# `terraform show` fails, only the error here ends the script.
planned() {
	terraform show -json import.tfplan |
		jq -rs '.[0] // error("the plan cannot be shown") | .resource_changes[]? |
			select(.type == "notification_notification" and (.change.actions | '"$1"')) | .address'
}

# Prints the triggers that import.tfplan has for an address. Terraform would print sensitive ones.
triggers() {
	terraform show -json import.tfplan | jq -ce --arg address "$1" '.resource_changes[] |
		select(.address == $address) | .change |
		if [.after_sensitive.triggers | .. | booleans] | any then {} else {} + .after.triggers end'
}

# Plans, and prints the addresses that the plan would send.
pending() {
	terraform plan -input=false -out=import.tfplan >&2 && planned 'index("create")'
}

# An older release in the state, which a killed run has replaced, makes way. A newer record stays.
# `terraform state list` would fail where the run that was killed has left no state.
before=$(pending)
kept=$(planned 'index("delete") | not')
recorded=$(terraform show -json |
	jq -rs '.[0] // error("the state cannot be shown") | .. | objects |
		select(.type? == "notification_notification") | .address // empty')
address=
for word; do
	if [ -z "$address" ]; then
		address=$word
		continue
	fi
	if has "$before" "$address"; then
		announced=$(triggers "$address")
		if has "$recorded" "$address"; then
			terraform state rm "$address"
		fi
		terraform import -input=false "$address" "$word $announced"
	elif has "$recorded" "$address" && has "$kept" "$address"; then
		echo "The state has $address already." >&2
	else
		echo "The configuration has no notification $address." >&2
		exit 1
	fi
	address=
done

after=$(pending)
for word; do
	if has "$after" "$word"; then
		echo "The plan would send $word, which was to be imported: do not apply it." >&2
		exit 1
	fi
done
