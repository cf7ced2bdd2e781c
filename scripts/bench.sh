#!/usr/bin/env bash
# usage: bench.sh BUILD   runs every benchmark program; each adds its rows to BUILD/bench.json
set -euo pipefail
build=$(realpath "${1:-build}")
rm -f "$build/bench.json"
for program in "$build"/bench/*_bench; do
  "$program" --json "$build/bench.json"
done
python=$(sed -n 's/^_\{0,1\}Python3_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt" | head -1)
PYTHONPATH=$build/python "${python:-/usr/bin/python3}" "$(dirname "$0")/../bench/python/python_bench.py" "$build/bench/libpython_peer.so" --json "$build/bench.json"
echo "rows in $build/bench.json"
