#!/bin/sh
# Stands in for a program. Without FAIL, it runs the program, and records the folder ROOT as it was
# before the call, and what the call came to. With FAIL, the name of a call, it plays back the calls
# before that one, which fails; later calls, and those that read a pipe, run the program.
PATH=${PATH#*:} # without the stubs, also for what the program calls
name=${0##*/} call=$STEP.${0##*/} n=1 status=0
for word; do # the subcommand is part of the name
	case $word in
	-*) ;;
	*[!a-z]*) break ;;
	*) call=$call-$word && break ;;
	esac
done
set -C # a file can be created once
until true >"$RUN/$call.$n"; do n=$((n + 1)); done 2>/dev/null
set +C
record=$RECORDS/$call.$n

if [ "$call.$n" = "$FAIL" ]; then
	head -c "$PRINTS" "$record/output"
	exit 1
elif [ "$FAIL" ] && [ ! -e "$RUN/$FAIL" ] && [ ! -p /dev/stdin ]; then
	cat "$record/output"
	cat "$record/errors" >&2
	read -r status <"$record/status"
	exit "$status"
fi

[ -z "$FAIL" ] || exec "$name" "$@"
mkdir "$record"
cp -a "$ROOT" "$record/before"
"$name" "$@" >"$record/output" 2>"$record/errors" || status=$?
echo "$status" >"$record/status"
cat "$record/output"
cat "$record/errors" >&2
exit "$status"
