#!/bin/sh
# Prints the release notes of a version, from its section in CHANGELOG.md, whose heading is
# "## [VERSION] - YYYY-MM-DD":
#
#	notes.sh VERSION [FILE]
#
# The lines of a paragraph are joined, since GitHub shows a line break of release notes as one. The
# link definitions of the file follow.
set -eu
version=$1 file=${2:-CHANGELOG.md}

grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" "$file" || {
	echo "$file has no section for $version with a date." >&2
	exit 1
}
awk -v heading="## [$version] - " '
	# flush prints the paragraph, or the item of a list, that was collected.
	function flush() {
		if (text != "")
			print text
		text = ""
	}
	/^## / && !fenced {
		flush()
		inside = index($0, heading) == 1
		next
	}
	/^\[[^]]+\]: / && !fenced {
		links = links $0 "\n"
		next
	}
	!inside { next }
	/^ *```/ { fenced = !fenced }
	fenced || /^ *(```|[|>#]|$)/ { # stands on a line of its own
		flush()
		if ($0 != "" || begun)
			print
		begun = begun || $0 != ""
		content = content || $0 !~ /^(#.*)?$/
		next
	}
	{
		begun = content = 1
		if (text == "" || /^ *([-*+]|[0-9]+[.)]) /) {
			flush()
			text = $0
		} else {
			sub(/^ +/, "")
			text = text " " $0
		}
	}
	END {
		flush()
		if (!content)
			exit 1
		printf "%s", links
	}' "$file" || {
	echo "The section for $version in $file is empty." >&2
	exit 1
}
