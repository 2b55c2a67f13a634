#!/bin/sh
# Tests notes.sh: on CHANGELOG.md, for the version that is given, and on a changelog with the rest.
set -eu
cd "$(dirname "$0")/../.."
script=tools/release/notes.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
	echo "notes.sh: $1" >&2
	exit 1
}

# rejects TEXT ARGUMENT... expects that notes.sh prints nothing and fails with the text.
rejects() {
	text=$1
	shift
	if sh "$script" "$@" >"$work/notes" 2>"$work/error"; then
		fail "$* succeeded"
	fi
	[ ! -s "$work/notes" ] || fail "$* printed notes"
	grep -qF "$text" "$work/error" || fail "$*: $(cat "$work/error")"
}

sh "$script" --unreleased "$1" >"$work/notes"
if grep -n '^## \|[^ ]  *$' "$work/notes"; then
	fail "these lines do not belong to $1"
fi
# Joining lines may change nothing but the white space.
{
	awk -v heading="## [$1]" '/^## / { inside = index($0, heading) == 1; next }
		inside && !/^\[[^]]*\]: /' CHANGELOG.md
	grep '^\[[^]]*\]: ' "$work/notes" || true
} | tr -s ' \n' '\n' | sed '/^$/d' >"$work/want"
tr -s ' \n' '\n' <"$work/notes" | sed '/^$/d' | cmp - "$work/want" || fail "text of $1 is lost"

cat >"$work/CHANGELOG.md" <<'END'
# Changelog

See [the policy][policy].

## [Unreleased]

## [1.1.0] - Unreleased

Something new.

## [1.0.0] - 2026-02-03

The first line
goes on here, see [the guide][Guide].

### Added

- A point
  in two lines.
  - One below it,
    with `code`.
- Another:

  ```sh
  # a comment
  ## [0.9.0] - not a heading
    indented
  [guide]: not a definition
  ```

| a | b |
|---|---|
| 1 | 2 |

## [1.0.0-rc.1] - 2026-01-02

### Added

## [0.9.1] - 2026-02-32

Such a day.

## [0.9.0]

No date. The last section, see [the policy].

[Unreleased]: https://example.com/compare/v1.1.0...HEAD
[1.0.0]: https://example.com/v1.0.0
[guide]: https://example.com/guide
[the policy]: https://example.com/policy
[policy]: https://example.com/policy

## [0.8.0] - 2025-12-31

See [the policy].
END
cat >"$work/want" <<'END'
The first line goes on here, see [the guide][Guide].

### Added

- A point in two lines.
  - One below it, with `code`.
- Another:

  ```sh
  # a comment
  ## [0.9.0] - not a heading
    indented
  [guide]: not a definition
  ```

| a | b |
|---|---|
| 1 | 2 |

[guide]: https://example.com/guide
END
sh "$script" 1.0.0 "$work/CHANGELOG.md" >"$work/notes"
diff "$work/want" "$work/notes" || fail "the notes of 1.0.0 are wrong"
printf 'See [the policy].\n\n[the policy]: https://example.com/policy\n' >"$work/want"
sh "$script" 0.8.0 "$work/CHANGELOG.md" >"$work/notes"
diff "$work/want" "$work/notes" || fail "the notes of the last section are wrong"
[ "$(sh "$script" --unreleased 1.1.0 "$work/CHANGELOG.md")" = "Something new." ] ||
	fail "the notes of an unreleased version are wrong"

rejects 'no section ## [2.0.0]' 2.0.0 "$work/CHANGELOG.md"
rejects 'no section ## [1.0]' 1.0 "$work/CHANGELOG.md"
rejects 'has no date: ## [1.1.0] - Unreleased' 1.1.0 "$work/CHANGELOG.md"
rejects 'has no date: ## [0.9.0]' --unreleased 0.9.0 "$work/CHANGELOG.md"
rejects 'has no date: ## [0.9.1] - 2026-02-32' 0.9.1 "$work/CHANGELOG.md"
rejects '## [1.0.0-rc.1] is empty' 1.0.0-rc.1 "$work/CHANGELOG.md"
