#!/usr/bin/env bash
# usage: bench.sh BUILD   runs every benchmark program; each adds its rows to BUILD/bench.json
set -euo pipefail
build=$(realpath "${1:-build}")
rm -f "$build/bench.json"
for program in "$build"/bench/*_bench; do
  "$program" --json "$build/bench.json"
done
echo "rows in $build/bench.json"
