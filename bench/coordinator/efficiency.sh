#!/usr/bin/env bash
# usage: efficiency.sh LEGWORK [ROUNDS] [OPTION...]   one search by one process and by two of mpirun, in turns.
# For each round: seconds on the clock and of processor time, and two figures for how much two processes do of twice what
# one does:
#   by the clock   t1 / (2 t2): needs two cores with nothing else on them
#   by work        (processor time of one / that of two) x (share of the time in which the two were at work): holds where
#                  others use the machine as well, since what delays both does not count
set -euo pipefail
legwork=$(realpath "$1")
rounds=${2:-3}
options=("${@:3}")
[ ${#options[@]} -gt 0 ] || options=(--random 8000 --vary 8000 --generation 8000 --gaits 2 --tune=0)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LEGWORK_TRAFFIC=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TIMEFORMAT='%R %U %S'

# measure NAME COMMAND...: clock and processor time in NAME.time, what was said in NAME.said
measure() {
  local name=$folder/$1
  rm -f "$name.db"*
  { time "${@:2}" discover bounder "${options[@]}" --threads 1 --archive "$name.db" --quiet 2>"$name.said"; } 2>"$name.time"
}
for ((round = 1; round <= rounds; ++round)); do
  measure one "$legwork"
  measure two mpirun --oversubscribe -n 2 "$legwork"
  awk -v round="$round" '
    FILENAME ~ /one.time/ { t1 = $1; c1 = $2 + $3 }
    FILENAME ~ /two.time/ { t2 = $1; c2 = $2 + $3 }
    FILENAME ~ /said/ && /worked/ { worked += $4; present += $7 }
    FILENAME ~ /said/ && /messages/ { said = $0; sub(/.*; /, "", said) }
    END {
      printf "round %d: one %.1f s (processor %.1f s), two %.1f s (processor %.1f s); by the clock %.1f %%, by work %.1f %% (at work %.1f %%); %s\n",
        round, t1, c1, t2, c2, 100 * t1 / (2 * t2), 100 * c1 / c2 * worked / present, 100 * worked / present, said
    }' "$folder/one.time" "$folder/two.time" "$folder/two.said"
done
