#!/usr/bin/env bash
# usage: public_characters.sh DIR [LEGWORK]
# Runs rig and walk over every .glb and .gltf below DIR and prints a table: what is understood, how the walk ended, how fast it
# was, how far feet slid (share of the hip's height), and what the Khronos validator says of the file that came out.
# LEGWORK: the program, build/legwork where absent. SECONDS_OF_WALK=4, LIMIT=300 (s for each run).
set -uo pipefail

[ $# -ge 1 ] || { sed -n '2,5p' "$0" | cut -c3- >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
where=$1
legwork=${2:-$here/build/legwork}
[ -x "$legwork" ] || { echo "public_characters.sh: no program '$legwork'; build it, or name it" >&2; exit 2; }
[ -d "$where" ] || { echo "public_characters.sh: no folder '$where'" >&2; exit 2; }
seconds=${SECONDS_OF_WALK:-4} limit=${LIMIT:-300}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

value() {  # JSON KEY: a number or text of a flat summary
  node -e 'const j = JSON.parse(require("fs").readFileSync(process.argv[1])); const v = process.argv[2].split(".").reduce((o, k) => o?.[k], j);
           console.log(typeof v === "number" ? Number(v.toPrecision(3)) : v ?? "")' "$1" "$2" 2>/dev/null
}

errors_of() {  # FILE.glb
  node "$here/tests/tools/validate.js" "$1" | sed -E 's/.*"errors":([0-9]+).*/\1/'
}

total=0 walked=0
printf '| character | bones | legs | walk | speed | slide | errors in the file |\n|---|---|---|---|---|---|---|\n'
while read -r file; do
  total=$((total + 1))
  name=${file#"$where"/} bones= legs= walk= speed= slide= errors=
  if timeout "$limit" "$legwork" rig "$file" --quiet --json "$scratch/rig.json" 2>"$scratch/err"; then
    bones=$(value "$scratch/rig.json" bones) legs=$(value "$scratch/rig.json" legs) height=$(value "$scratch/rig.json" hip_height)
    timeout "$limit" "$legwork" walk "$file" --seconds "$seconds" --quiet --out "$scratch/out.glb" --json "$scratch/walk.json" 2>"$scratch/err"
    case $? in
      0) walk=ok walked=$((walked + 1)) ;; 3) walk="fell" ;; 124) walk="over $limit s" ;; *) walk="$(head -1 "$scratch/err" | tr '|' '/')" ;;
    esac
    if [ -s "$scratch/out.glb" ]; then
      "$legwork" gait "$scratch/out.glb" --quiet --json "$scratch/gait.json" 2>/dev/null
      speed=$(value "$scratch/gait.json" gait.speed) slip=$(value "$scratch/gait.json" appearance.slide)
      slide=$(awk -v s="${slip:-0}" -v h="${height:-1}" 'BEGIN { printf "%.2f %%", 100 * s / h }')
      errors=$(errors_of "$scratch/out.glb")
      case $file in *.glb) errors="$errors ($(errors_of "$file") before)" ;; esac
    fi
  else
    walk=$(grep -m1 '^legwork:' "$scratch/err" | sed -e 's/^legwork: //' -e "s#$where/##" | tr '|' '/')
  fi
  rm -f "$scratch"/*.glb "$scratch"/*.json
  printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$name" "$bones" "$legs" "$walk" "$speed" "$slide" "$errors"
done < <(find "$where" \( -name '*.glb' -o -name '*.gltf' \) -type f | sort)
printf '\n%d of %d walk\n' "$walked" "$total"
