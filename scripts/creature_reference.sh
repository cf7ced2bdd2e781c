#!/usr/bin/env bash
# usage: creature_reference.sh LEGWORK [PAGE]   docs/creature_file.md on stdout, its tables of keys as the program has them
set -euo pipefail
awk '
  # first the tables of the program, then the page
  NR == FNR && /^## / { name = $2; sub(/:$/, "", name); next }
  NR == FNR { if ($0 != "" || table[name] != "") table[name] = table[name] $0 "\n"; next }
  /^<!-- keys of / {
    print
    if (!($4 in table)) { print "no keys of " $4 > "/dev/stderr"; exit 1 }
    text = table[$4]
    sub(/\n+$/, "", text)
    print "\n" text "\n"
    skip = 1
  }
  /^<!-- end -->/ { skip = 0 }
  !skip { print }
' <("$1" creatures --keys) "${2:-docs/creature_file.md}"
