#!/usr/bin/env bash
# usage: format.sh ROOT CLANG_FORMAT
# Every .h and .cpp that git knows (or would add) is formatted by clang-format; `make format` does that.
set -u
cd "$1" || exit 2
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.h' '*.cpp' | sort -u)
present=()
for file in "${files[@]}"; do [ -f "$file" ] && present+=("$file"); done
[ ${#present[@]} -gt 0 ] || { echo "no sources found in $1" >&2; exit 2; }
"$2" --dry-run --Werror "${present[@]}" || { echo "run: make format" >&2; exit 1; }
