#!/usr/bin/env bash
# usage: package.sh SOURCE BUILD CMAKE [COMPILER]
# Installs the build into BUILD/prefix, moves it, and lets a stranger's program (tests/package) find and use it. Then the
# program takes the source tree in by add_subdirectory. Neither changes how the stranger's own source is compiled.
set -euo pipefail
source=$1 build=$2 cmake=$3 compiler=${4:-g++}
here=$source/tests/package

# configure FOLDER [OPTIONS...]: the stranger's project, with flags of its own
configure() {
  local folder=$1
  shift
  rm -rf "$folder"
  "$cmake" -S "$here" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS=-O1 \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >/dev/null
}

# unchanged FOLDER INCLUDES: the stranger's source is compiled with its own flags, our public headers and C++20
unchanged() {
  local command
  command=$(grep '"command".*guest\.cpp' "$1/compile_commands.json" | sed -E 's/.*"command": "(.*)",?$/\1/')
  local flags
  flags=$(tr ' ' '\n' <<<"$command" | grep -vE '^(|-O1|-std=(gnu|c)\+\+20|-o|-c|CMakeFiles.*|.*guest\.cpp)$' | tail -n +2)
  local more
  more=$(sed "s|^-I||" <<<"$flags" | grep -vxE -e '-isystem' -e "$2" || true)
  [ -z "$more" ] || { echo "package.sh: the guest is compiled with more than its own flags: $more ($command)" >&2; exit 1; }
  [[ $command == "$(command -v "$compiler")"\ * ]] || { echo "package.sh: not the guest's compiler: $command" >&2; exit 1; }
  if grep -A20 'EXECUTABLE_LINKER__guest' "$1/build.ninja" "$1"/CMakeFiles/rules.ninja | grep -q 'fuse-ld\|ccache'; then
    echo "package.sh: the guest is linked with our linker or launcher" >&2
    exit 1
  fi
}

# The stranger's program is the first C++ that the README shows.
diff <(awk '/^```/ { if (on) exit; on = ($0 == "```cpp"); next } on' "$source/README.md") "$here/guest.cpp" >&2 ||
  { echo "package.sh: tests/package/guest.cpp is not the README's first C++" >&2; exit 1; }

rm -rf "$build/prefix" "$build/moved"
"$cmake" --install "$build" --prefix "$build/prefix" >/dev/null
mv "$build/prefix" "$build/moved"

if grep -rlF "$source" "$build/moved"; then
  echo "package.sh: these installed files name the source tree" >&2
  exit 1
fi
if find "$build/moved/include" -type f ! -path '*/include/legwork/*.h' | grep .; then
  echo "package.sh: these are no public headers" >&2
  exit 1
fi
"$build/moved/bin/legwork" check dog --quiet
(cd / && "$build/moved/bin/legwork" creatures --json -) |
  grep -F "$build/moved/share/legwork/creatures/dog.toml" >/dev/null
if command -v man >/dev/null; then
  [ -z "$(man --warnings -l "$build/moved/share/man/man1/legwork.1.gz" 2>&1 >/dev/null)" ]
fi
bash -c ". $build/moved/share/bash-completion/completions/legwork
  COMP_WORDS=(legwork walk ro) COMP_CWORD=2; _legwork; [ \"\${COMPREPLY[*]}\" = roach ]"

configure "$build/guest_finds" -DCMAKE_PREFIX_PATH="$build/moved"
unchanged "$build/guest_finds" "$build/moved/include"
"$cmake" --build "$build/guest_finds"
(cd "$build/guest_finds" && ./guest)
"$build/moved/bin/legwork" rerun "$build/guest_finds/dog.glb"

configure "$build/guest_takes" -DGUEST_TAKES="$source"
unchanged "$build/guest_takes" "$source/include"
for variable in CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER_LAUNCHER; do
  if grep "^$variable:.*=." "$build/guest_takes/CMakeCache.txt"; then
    echo "package.sh: this is set for the guest" >&2
    exit 1
  fi
done
"$cmake" --build "$build/guest_takes" --target CMakeFiles/guest.dir/guest.cpp.o  # linking it would build the whole library
echo "package.sh: the guest's flags are its own"
