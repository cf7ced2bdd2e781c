#!/usr/bin/env bash
# usage: package.sh SOURCE BUILD CMAKE COMPILER
# Installs the build into BUILD/prefix and lets a stranger's program find and use the package.
set -eu
source=$1 build=$2 cmake=$3 compiler=$4
rm -rf "$build/prefix" "$build/package"
"$cmake" --install "$build" --prefix "$build/prefix" >/dev/null
"$cmake" -S "$source/tests/package" -B "$build/package" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$build/prefix" >/dev/null
"$cmake" --build "$build/package"
"$build/package/guest"
