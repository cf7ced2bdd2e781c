#!/usr/bin/env bash
# usage: bits.sh BUILD [PATTERN]
# Builds tests/bits/results for every compiler, level and processor whose name matches PATTERN, runs it, for other
# processors under qemu, and compares what it writes with results.txt. Builds lie in BUILD/bits and are kept. Ends with 1
# where a result differs or a build fails; what this machine cannot build or run is told and left out.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1/bits"
out=$(realpath "$1/bits") pattern=${2:-.}

# 32-bit processors are left out: hulls (creature/hull.cpp) and lists of genes (search/genetic.h) count exactly in 128 bits,
# which compilers have for 64-bit processors only.
# name | compiler | flags | what runs it
variants="\
clang -O0 SSE2|clang++|-O0 -march=x86-64|
clang -O1 AVX2|clang++|-O1 -march=x86-64-v3|
clang -O2 SSE2|clang++|-O2 -march=x86-64|
clang -O3 SSE2|clang++|-O3 -march=x86-64|
clang -O3 AVX2|clang++|-O3 -march=x86-64-v3|
clang -O3 AVX-512|clang++|-O3 -march=x86-64-v4|
g++ -O0 SSE2|g++|-O0 -march=x86-64|
g++ -O1 AVX2|g++|-O1 -march=x86-64-v3|
g++ -O2 SSE2|g++|-O2 -march=x86-64|
g++ -O3 SSE2|g++|-O3 -march=x86-64|
g++ -O3 AVX2|g++|-O3 -march=x86-64-v3|
g++ -O3 AVX-512|g++|-O3 -march=x86-64-v4|
g++ -O1 arm64|aarch64-linux-gnu-g++|-O1 -static|qemu-aarch64-static
clang -O2 arm64|clang++|-O2 --target=aarch64-linux-gnu -fuse-ld=lld -static|qemu-aarch64-static
g++ -O1 riscv64|riscv64-linux-gnu-g++|-O1 -static|qemu-riscv64-static"

# Whether this processor knows the level that the flags ask for.
runs_level() {
  local level
  level=$(grep -oE 'x86-64-v[34]' <<<"$1") || return 0
  /lib64/ld-linux-x86-64.so.2 --help | grep -q "$level (supported"
}

# Headers alone, which are the same for every processor.
headers=$out/headers
mkdir -p "$headers"
ln -sfn /usr/include/eigen3 "$headers/eigen3"
ln -sfn /usr/include/toml++ "$headers/toml++"

bad=0 tried=0
printf '%-18s %6s %10s  %s\n' build equal different which
while IFS='|' read -r name compiler flags runner <&3; do
  grep -qE -- "$pattern" <<<"$name" || continue
  folder=$out/${name// /_}
  if ! command -v "$compiler" >/dev/null || { [ -n "$runner" ] && ! command -v "$runner" >/dev/null; }; then
    printf '%-18s %s\n' "$name" "not made: $compiler${runner:+ or $runner} is not installed (scripts/install_dependencies.sh bits)"
    continue
  fi
  if ! runs_level "$flags"; then
    printf '%-18s %s\n' "$name" "not made: this processor does not have these instructions"
    continue
  fi
  tried=$((tried + 1))
  mkdir -p "$folder"
  launcher=$(command -v ccache)
  if ! { cmake -G Ninja -S "$here" -B "$folder" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" \
           -DCMAKE_CXX_FLAGS="$flags" -DLEGWORK_HEADERS="$headers/eigen3;$headers" ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"} &&
         ninja -C "$folder" -j"${JOBS:-$(nproc)}"; } >"$folder/log" 2>&1; then
    printf '%-18s %s\n' "$name" "CANNOT BE BUILT: $folder/log"
    bad=1
    continue
  fi
  $runner "$folder/results" "$root" >"$folder/results.txt" 2>>"$folder/log"
  different=$(diff "$here/results.txt" "$folder/results.txt" | sed -n 's/^< [0-9a-f]* //p')
  all=$(wc -l <"$here/results.txt") wrong=0
  [ -n "$different" ] && { wrong=$(wc -l <<<"$different"); bad=1; }
  printf '%-18s %6d %10d  %s\n' "$name" $((all - wrong)) "$wrong" "$(paste -sd';' <<<"$different")"
done 3<<<"$variants"
[ $tried -gt 0 ] || { echo "bits.sh: nothing matches '$pattern'" >&2; exit 2; }
exit $bad
