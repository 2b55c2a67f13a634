#!/bin/sh
# Prints the release notes of a version, from its section in CHANGELOG.md, whose heading is
# "## [VERSION] - YYYY-MM-DD". With --unreleased, "Unreleased" may stand in place of the date.
#
#	notes.sh [--unreleased] VERSION [FILE]
#
# The lines of a paragraph are joined, since GitHub shows a line break of release notes as one. Of
# the link definitions in the file, those are added that the section refers to.
set -eu
date='[0-9][0-9][0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
if [ "$1" = --unreleased ]; then
	date="($date|Unreleased)"
	shift
fi
version=$1 file=${2:-CHANGELOG.md}

awk -v heading="## [$version]" -v date="^ - $date\$" '
	function fail(text) {
		print FILENAME ": " text >"/dev/stderr"
		failed = 1
		exit 1
	}
	# Whether a line is a block of its own, or begins one that goes on in the next line.
	function alone(line) { return line ~ /^ *([|>#]|$)/ }
	function begins(line) { return alone(line) || line ~ /^ *([-*+]|[0-9]+[.)]) / }
	function add(line, joined) {
		if (joined) {
			sub(/^ +/, "", line)
			notes[count] = notes[count] " " line
		} else if (line != "" || count)
			notes[++count] = line
		if (line !~ /^ *(#|$)/)
			content = 1
	}

	/^ *```/ { fenced = !fenced; fence = 1 }
	!fenced && !fence && /^## / {
		inside = index($0, heading) == 1
		if (inside && substr($0, length(heading) + 1) !~ date)
			fail("the heading of " heading " has no date: " $0)
		found = found || inside
		open = 0
		next
	}
	!fenced && !fence && /^ ? ? ?\[[^]]+\]:/ {
		label = tolower(substr($0, index($0, "["), index($0, "]:") - index($0, "[") + 1))
		if (!(label in defined)) {
			defined[label] = 1
			labels[++definitions] = label
			definition[definitions] = $0
		}
		open = 0
		next
	}
	inside {
		verbatim = fenced || fence
		add($0, open && !verbatim && !begins($0))
		open = !verbatim && !alone($0)
	}
	{ fence = 0 }

	END {
		if (failed)
			exit 1
		if (!found)
			fail("no section " heading)
		if (!content)
			fail("the section " heading " is empty")
		while (notes[count] == "")
			count--
		for (i = 1; i <= count; i++) {
			print notes[i]
			text = text tolower(notes[i]) "\n"
		}
		for (i = 1; i <= definitions; i++)
			if (index(text, labels[i]))
				print (separated++ ? "" : "\n") definition[i]
	}' "$file"
