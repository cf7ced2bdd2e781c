#!/usr/bin/env bash
# usage: study.sh BUILD [METHOD]   every study of studies/, or of one method: tables and pages in BUILD/studies.
# After a stop it continues where it was. METHOD walkers is the benchmark of walking (bench/walkers), METHOD torture
# handles bodies roughly (bench/torture).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
legwork=$build/legwork

if [[ ${2:-walkers} == walkers ]]; then
  cmake --build "$build" --target walkers
  out=$build/studies/walkers
  mkdir -p "$out"
  echo "> $build/bench/walkers --bodies 100 --seed ${SEED:-1} --films $out --json $out/walkers.json"
  "$build/bench/walkers" --bodies 100 --seed "${SEED:-1}" --films "$out" --json "$out/walkers.json" |
    tee "$out/walkers.txt"
  if [[ ${2:-} == walkers ]]; then exit; fi
fi

if [[ ${2:-torture} == torture ]]; then
  cmake --build "$build" --target torture
  out=$build/studies/torture
  mkdir -p "$out"
  echo "> $build/bench/torture --drops 1000 --bodies 2000 --seed ${SEED:-1} --page $out/worst.md"
  "$build/bench/torture" --drops 1000 --bodies 2000 --seed "${SEED:-1}" --page "$out/worst.md" |
    tee "$out/torture.txt"
  if [[ ${2:-} == torture ]]; then exit; fi
fi

for file in studies/${2:-*}/*.toml; do
  out=$build/studies/$(basename "$(dirname "$file")")
  name=$(basename "$file" .toml)
  mkdir -p "$out"
  echo "> $legwork study $file --results $out/$name.jsonl --table $out/$name.csv --report $out/$name.html"
  "$legwork" study "$file" --results "$out/$name.jsonl" --table "$out/$name.csv" --report "$out/$name.html"
done
