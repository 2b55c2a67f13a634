#!/bin/sh
# Prints the release notes of a version: its section in CHANGELOG.md, whose heading is
# "## [VERSION] - YYYY-MM-DD", and the file's link definitions:
#
#	notes.sh VERSION [FILE]
#
# It joins the lines of a paragraph, since GitHub keeps line breaks in release notes.
set -eu
version=$1 file=${2:-CHANGELOG.md}

grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" "$file" || {
	echo "$file has no section for $version with a date." >&2
	exit 1
}
awk -v heading="## [$version] - " '
	# flush prints the collected paragraph or list item.
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
	fenced || /^ *(```|[|>#]|$)/ { # not part of a paragraph
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
