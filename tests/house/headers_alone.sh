#!/usr/bin/env bash
# usage: headers_alone.sh ROOT COMPILER [FLAGS...]
# Every header compiles as a program's first and only include. For a header that a source of the library includes
# before anything else, building the library shows it: no precompiled header stands before those sources. The others,
# about a fifth, are compiled here.
set -u
cd "$1" || exit 2
export compiler=$2
shift 2
export flags="$*"
alone() {
  echo "#include \"$1\"" |
    $compiler -std=c++20 -fsyntax-only -ffp-contract=off -Wall -Wextra -Wpedantic -Werror -Wno-psabi $flags -Iinclude -Isrc -I. -x c++ - ||
    { echo "$1 does not compile alone" >&2; return 1; }
}
export -f alone

# The header that each source of the library includes first, as a path from the root.
included_first() {
  find src -name '*.cpp' -exec awk '/^#/ {
    if (match($0, /^#include "[^"]*"/)) print "src/" substr($0, 11, RLENGTH - 11)
    if (match($0, /^#include <legwork\/[^>]*>/)) print "include/" substr($0, 11, RLENGTH - 11)
    nextfile }' {} +
}
all=$(find include src cli tests bench -name '*.h' ! -path '*/peers/*' 2>/dev/null | sort)
rest=$(comm -23 <(echo "$all") <(included_first | sort -u))
echo "headers_alone.sh: $(wc -l <<<"$all") headers, $(wc -l <<<"$rest") of them compiled here"
xargs -r -P "$(nproc)" -I{} bash -c 'alone {}' <<<"$rest"
