#!/usr/bin/env bash
# The include-order check accepts an orderly tree and names each kind of disorder.
set -u
check=$(dirname "$0")/include_order.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/legwork/{base,math,walk,reach,io}
bad=0

# expect LINE TEXT FILE: with LINE in FILE the check complains with TEXT (or passes, if TEXT is empty)
expect() {
  echo "$1" >"$tree/$3"
  output=$(bash "$check" "$tree" 2>&1)
  status=$?
  rm "$tree/$3"
  if [ -z "$2" ]; then
    [ $status -eq 0 ] || { echo "refused '$1' in $3: $output"; bad=1; }
  elif [ $status -eq 0 ] || [[ $output != *"$2"* ]]; then
    echo "for '$1' in $3 expected '$2', got status $status: $output"
    bad=1
  fi
}

expect '#include "legwork/base/error.h"' '' legwork/math/a.h
expect '#include "legwork/walk/a.h"' '' legwork/walk/a.cpp
expect '#include <vector>' '' legwork/math/a.h
expect '#include <pugixml.hpp>' '' legwork/io/a.cpp
expect '#include "legwork/math/a.h"' "legwork/base/a.h:1: room 'base' includes" legwork/base/a.h
expect '#include "legwork/reach/a.h"' "method 'walk' includes method 'reach'" legwork/walk/a.cpp
expect '#include "legwork/utils/a.h"' 'in no known room' legwork/io/a.cpp
expect '#include <pugixml.hpp>' 'keep that dependency in the .cpp' legwork/io/a.h
expect '#include "a.h"' 'write the whole path' legwork/io/a.cpp
expect '#include "tests/a.h"' 'the library includes' legwork/io/a.cpp
mkdir "$tree/legwork/utils"
expect '' "room 'utils' is not in the order" legwork/base/a.h
exit $bad
