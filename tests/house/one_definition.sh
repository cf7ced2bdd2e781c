#!/usr/bin/env bash
# usage: one_definition.sh ROOT
# No two types of the library share a name: the linker would silently use the functions of one for the other.
set -u
cd "$1" || exit 2
awk '
  FNR == 1 { space = ""; hidden = 0 }
  /^namespace [a-z:]+ \{/ { space = $2 }
  /^namespace \{/ { hidden = 1 }
  /^}  \/\/ namespace$/ { hidden = 0 }
  !hidden && /^(struct|class|enum class) [A-Za-z]+( final)?( :| \{|$)/ {
    name = $1 == "enum" ? $3 : $2
    sub(/[:{;].*/, "", name)
    key = space "::" name
    if (key in first && first[key] != FILENAME) {
      printf "%s:%d: %s is also in %s; give one another name\n", FILENAME, FNR, key, first[key]
      bad = 1
    }
    first[key] = FILENAME
  }
  END { exit bad }' include/legwork/*.h src/*/*.{h,cpp} src/formats/*/*.{h,cpp} >&2
