#!/bin/sh
# Tests notes.sh with a sample changelog.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$work/CHANGELOG.md" <<'END'
# Changelog

See [the guide].

## [1.1.0] - Unreleased

Something new.

## [1.0.0] - 2026-02-03

### Added

The first line
goes on here, see [the guide].

- A point
  in two lines.
  - One below it,
    with `code`.
- Another:

  ```sh
  # a comment
  ## [0.9.0] - not a heading
    indented
  ```

| a | b |
|---|---|
| 1 | 2 |

## [0.9.0] - 2026-01-02

### Added

## [0.8.0] - 2025-12-31

The last section.

[the guide]: https://example.com/guide
END
cat >"$work/want" <<'END'
### Added

The first line goes on here, see [the guide].

- A point in two lines.
  - One below it, with `code`.
- Another:

  ```sh
  # a comment
  ## [0.9.0] - not a heading
    indented
  ```

| a | b |
|---|---|
| 1 | 2 |

[the guide]: https://example.com/guide
END
sh tools/release/notes.sh 1.0.0 "$work/CHANGELOG.md" | diff "$work/want" - || {
	echo "The notes of 1.0.0 are wrong." >&2
	exit 1
}
printf 'The last section.\n\n[the guide]: https://example.com/guide\n' >"$work/want"
sh tools/release/notes.sh 0.8.0 "$work/CHANGELOG.md" | diff "$work/want" - || {
	echo "The notes of the last section are wrong." >&2
	exit 1
}
for version in 2.0.0 1.0 1.1.0 0.9.0; do # no section, no section, no date, empty
	if sh tools/release/notes.sh "$version" "$work/CHANGELOG.md" >"$work/notes" 2>&1; then
		echo "notes.sh accepted $version." >&2
		exit 1
	fi
done
