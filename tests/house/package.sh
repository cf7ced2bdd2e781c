#!/usr/bin/env bash
# usage: package.sh SOURCE BUILD CMAKE [COMPILER]
# Installs the build into BUILD/prefix, moves it, and lets a guest's program (tests/package) find and use it. Then the
# guest takes the source tree in by add_subdirectory; tests/package/add_subdirectory.sh builds and runs that one to its
# end. Neither changes how the guest's own source is compiled.
set -euo pipefail
source=$1 build=$2 cmake=$3 compiler=${4:-g++}

. "$source/tests/package/guest.sh"

# The guest's program is the first C++ that the README shows.
diff <(awk '/^```/ { if (on) exit; on = ($0 == "```cpp"); next } on' "$source/README.md") "$source/tests/package/guest.cpp" >&2 ||
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
if [ -d "$build/moved/lib/python3/dist-packages/legwork" ]; then  # import legwork, from where it was installed
  (cd / && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/moved/lib/python3/dist-packages" /usr/bin/python3 -c "
import legwork; assert legwork.__file__.startswith('$build/moved'); legwork.drop('box', seconds=0.1)")
fi
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
"$cmake" --build "$build/guest_takes" --target CMakeFiles/guest.dir/guest.cpp.o  # linking it builds the whole library
echo "package.sh: the guest's flags are its own"
