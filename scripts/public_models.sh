#!/usr/bin/env bash
# usage: public_models.sh DIR|LIST [LEGWORK]
# Runs check, drop and walk over every MJCF and URDF body below DIR (or over the files that LIST names, one a line,
# public_models.txt for one) and prints a table: whether each loads, the legs that were seen, how drop and walk ended.
# LEGWORK: the program, build/legwork where absent. SECONDS_OF_WALK=4, LIMIT=120 (s for each run), VERBS="check drop walk",
# MODELS: the folder in which LIST's files are, LIST's own where absent.
set -uo pipefail

[ $# -ge 1 ] || { sed -n '2,6p' "$0" | cut -c3- >&2; exit 2; }
where=$1
legwork=${2:-$(dirname "$0")/../build/legwork}
[ -x "$legwork" ] || { echo "public_models.sh: no program '$legwork'; build it, or name it" >&2; exit 2; }
[ -e "$where" ] || { echo "public_models.sh: no folder or list '$where'" >&2; exit 2; }
models=${MODELS:-$(dirname "$where")} seconds=${SECONDS_OF_WALK:-4} limit=${LIMIT:-120} verbs=${VERBS:-check drop walk}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Bodies: MJCF with bodies of their own, and URDF. A scene that includes a body would be the same body again.
list() {
  if [ -f "$where" ]; then
    while read -r file; do
      case $file in '' | '#'*) ;; /*) echo "$file" ;; *) echo "$models/$file" ;; esac
    done <"$where"
  else
    find "$where" \( -name '*.xml' -o -name '*.urdf' \) -type f | sort | while read -r file; do
      case $file in *.urdf) echo "$file" ;; *) grep -q '<mujoco' "$file" && grep -q '<body' "$file" && echo "$file" ;; esac
    done
  fi
}

# One run: its exit code in words.
run() {
  timeout "$limit" "$legwork" "$@" >"$scratch/out" 2>"$scratch/err"
  case $? in
    0) echo ok ;; 2) echo refused ;; 3) echo failed ;; 124) echo "over $limit s" ;; *) echo "BUG" ;;
  esac
}

total=0 loaded=0
printf '| model | loads | legs | drop | walk |\n|---|---|---|---|---|\n'
while read -r file; do
  total=$((total + 1))
  loads=$(run check "$file") legs= drop= walk=
  if [ "$loads" = ok ]; then
    loaded=$((loaded + 1))
    legs=$(sed -n 's/^  legs  *//p' "$scratch/out" | head -1)
    case $verbs in *drop*) drop=$(run drop "$file" --seconds 2) ;; esac
    case $verbs in
      *walk*)
        walk=$(run walk "$file" --seconds "$seconds")
        [ "$walk" = ok ] || walk="$walk: $(cat "$scratch/err" "$scratch/out" | grep -E '^legwork:|^status' | head -1 | cut -c1-90)"
        ;;
    esac
  else
    legs=$(grep -m1 '^legwork:' "$scratch/err" | sed 's/^legwork: //' | tr '|' '/')
  fi
  name=${file#"$where"/} name=${name#"$models"/}
  printf '| %s | %s | %s | %s | %s |\n' "$name" "$loads" "$legs" "$drop" "$(echo "$walk" | tr '|' '/')"
done < <(list)
printf '\n%d of %d load\n' "$loaded" "$total"
