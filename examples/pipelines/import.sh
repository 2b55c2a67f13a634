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
	printf '%s\n' "$1" | grep -Fqx -e "$2"
}

# Prints the notifications of import.tfplan whose actions match. jq accepts an empty input, so if
# `terraform show` fails, only the error here ends the script.
planned() {
	terraform show -json import.tfplan |
		jq -rs '.[0] // error("the plan cannot be shown") | .resource_changes[]? |
			select(.type == "notification_notification" and (.change.actions | '"$1"')) | .address'
}

# In jq: the triggers of a notification, or null if some of them are hidden or null.
triggers='def triggers(from; hidden):
	if [(hidden | .. | booleans), (from[]? == null)] | any then null else {} + from end;'

# Prints the triggers that import.tfplan has for an address.
announced() {
	terraform show -json import.tfplan | jq -cers --arg address "$1" "$triggers"'
		.[0].resource_changes[] |
		select(.address == $address and (.change.actions | index("create"))).change |
		triggers(.after.triggers; .after_sensitive.triggers, .after_unknown.triggers) // "hidden"'
}

# Prints the command that would import again what the state has under an address: without its
# triggers if the second argument is true.
way_back() {
	terraform show -json | jq -ers --arg address "$1" --argjson hidden "$2" "$triggers"'
		[.[0] | .. | objects |
			select(.type? == "notification_notification" and .address? == $address)] |
		sort_by(has("deposed_key"))[0] // error("the state cannot be shown") |
		(triggers(.values.triggers; .sensitive_values.triggers, $hidden) // {} | tojson) as $triggers |
		"\(.values.notification_id // "unknown") \($triggers)" |
		"terraform import \($address | @sh) \(@sh) # would import what is now removed"'
}

# Plans, and prints the addresses that the plan would send.
pending() {
	terraform plan -input=false -out=import.tfplan >&2 && planned 'index("create")'
}

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
		announced=$(announced "$address") hidden=false
		if [ "$announced" = hidden ]; then
			echo "Some triggers of $address are sensitive, unknown or null: the import has none." \
				"Unless this release is applied first, the next one needs -replace='$address'." >&2
			announced='{}' hidden=true
		fi
		if has "$recorded" "$address"; then # another release, which an import does not replace
			way_back=$(way_back "$address" "$hidden")
			import=$(terraform import -no-color -input=false "$address" "$word $announced" 2>&1) || true
			case $import in
			*' already managed by '*state.*) ;; # nothing else is wrong with the import
			*)
				printf '%s\n' "$import" >&2
				exit 1
				;;
			esac
			printf '%s\n' "$way_back" >&2
			terraform state rm "$address"
		fi
		terraform import -input=false "$address" "$word $announced"
	elif has "$recorded" "$address" && has "$kept" "$address"; then
		echo "The state has $address already." >&2
	else
		echo "The plan neither creates nor keeps a notification $address." >&2
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
