#!/usr/bin/env bash
# usage: headers_alone.sh ROOT COMPILER [FLAGS...]
# Every header compiles as a program's first and only include.
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
find include src cli tests bench -name '*.h' ! -path '*/peers/*' 2>/dev/null | sort |
  xargs -r -P "$(nproc)" -I{} bash -c 'alone {}'
