#!/usr/bin/env bash
# The include-order check accepts an orderly tree and names each kind of disorder.
set -u
check=$(dirname "$0")/include_order.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/src/{base,math,walk,reach,formats/toml,report} "$tree"/include/legwork
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

expect '#include "base/text.h"' '' src/math/a.h
expect '#include "walk/a.h"' '' src/walk/a.cpp
expect '#include "formats/toml/b.h"' '' src/formats/a.cpp
expect '#include "formats/file.h"' '' src/formats/toml/a.cpp
expect '#include <legwork/creature.h>' '' src/math/a.h
expect '#include <legwork/creature.h>' '' include/legwork/a.h
expect '#include <vector>' '' include/legwork/a.h
expect '#include <pugixml.hpp>' '' src/formats/a.cpp
expect '#include <Eigen/Core>' '' src/math/a.h
expect '#include "math/a.h"' "src/base/a.h:1: room 'base' includes" src/base/a.h
expect '#include "reach/a.h"' "'reach' stands beside it" src/walk/a.cpp
expect '#include "utils/a.h"' 'in no known room' src/formats/a.cpp
expect '#include "report/a.h"' "'report' stands below it" src/formats/toml/a.cpp
expect '#include <pugixml.hpp>' 'keep that dependency in the .cpp' src/formats/a.h
expect '#include "a.h"' 'write the room as well' src/formats/a.cpp
expect '#include "tests/a.h"' 'the library includes' src/formats/a.cpp
expect '#include "legwork/creature.h"' 'included as <legwork/creature.h>' src/formats/a.cpp
expect '#include "math/vec.h"' 'which is private' include/legwork/a.h
expect '#include <Eigen/Core>' 'public header includes <Eigen/Core>' include/legwork/a.h
mkdir "$tree/src/utils"
expect '' "room 'utils' is not in the order" src/base/a.h
exit $bad
