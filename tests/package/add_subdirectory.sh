#!/usr/bin/env bash
# usage: add_subdirectory.sh BUILD [COMPILER]
# A guest takes our source tree in by add_subdirectory and builds all of it with its own compiler and flags: it links,
# it walks, and the program in BUILD reads its motion. Between clang and g++ the last bits of a motion still differ.
set -euo pipefail
build=$(realpath "$1") compiler=${2:-g++} cmake=cmake
source=$(realpath "$(dirname "$0")/../..")
. "$source/tests/package/guest.sh"

folder=$build/guest_takes
configure "$folder" -DGUEST_TAKES="$source"
unchanged "$folder" "$source/include"
"$cmake" --build "$folder" -j"$(nproc)" --target guest
(cd "$folder" && ./guest)
"$build/legwork" gait "$folder/dog.glb"
echo "add_subdirectory.sh: built with $("$compiler" -dumpfullversion) of $compiler, walked; the guest's flags are its own"
