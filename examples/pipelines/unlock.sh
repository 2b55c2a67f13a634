#!/bin/sh
# Removes the lock that a killed job has left, by the ID in the error of a later run:
#
#	sh unlock.sh ID
#
# Run it after `terraform init`, in the same workspace, and only if the lock is that of the killed
# job: the lock of a run that is still alive looks the same. Any word prints the lock, and removes
# nothing. With the http backend, `force-unlock` alone would remove any lock, whatever its ID is.
set -eu
id=${1:?usage: sh unlock.sh ID}

# It needs the lock, and changes nothing.
if output=$(terraform untaint -no-color -allow-missing terraform_data.none 2>&1); then
	output='The state is not locked.'
fi
printf '%s\n' "$output" >&2
words=$(printf '%s' "$output" | tr -s '[:space:]' ' ') # its lines are wrapped
case " $words " in
*" ID: $id "* | *" ID=$id "*) exec terraform force-unlock -force "$id" ;;
esac
echo "Found no lock with the ID $id, so nothing was done. If none is left, run without it." >&2
exit 1
