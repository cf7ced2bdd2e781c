#!/usr/bin/env bash
# usage: study.sh BUILD [METHOD]   every study of studies/, or of one method: tables and pages in BUILD/studies.
# After a stop it continues where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
legwork=$build/legwork
for file in studies/${2:-*}/*.toml; do
  out=$build/studies/$(basename "$(dirname "$file")")
  name=$(basename "$file" .toml)
  mkdir -p "$out"
  echo "> $legwork study $file --results $out/$name.jsonl --table $out/$name.csv --report $out/$name.html"
  "$legwork" study "$file" --results "$out/$name.jsonl" --table "$out/$name.csv" --report "$out/$name.html"
done
