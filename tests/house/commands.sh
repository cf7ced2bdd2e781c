#!/usr/bin/env bash
# usage: commands.sh ROOT LEGWORK
# Every command of a ```sh block, of the last column of the tables in README.md and papers.md, and of the examples in a
# verb's help runs and ends well (exit code 0: nothing fell, burst or was refused), in the order of its document, in a folder of
# its own. Motions run as they stand, searches and pictures in a short form (fewer candidates, fewer rays). A block marked
# ```sh long and the studies of papers.md are only read, by documents.sh.
set -u
root=$1 legwork=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The options that make a verb quick; they replace what the command says.
declare -A short=(
  [walk]="--evaluations 2"
  [discover]="--random 24 --vary 8 --gaits 3 --tune 2 --seconds 2"
  [evolve]="--generations 2 --children 6 --budget 24 --seconds 1 --metric distance"
  [reach]="--iterations 20 --population 50"
  [render]="--width 96 --height 54 --samples 1"
)

# The words of a command with those options in place of its own.
shorten() {  # VERB WORDS...
  local quick=${short[$1]:-} kept=() word skip=0
  # what an archive or a controller fixes stays; evaluations belong to a tuned walk
  [[ " $* " == *" --show "* || " $* " == *" --controller "* ]] && quick=
  [[ " $* " == *" --tune "* ]] || quick=${quick/--evaluations 2/}
  for word in "$@"; do
    if [ $skip = 1 ]; then skip=0
    elif [[ $word == --* && " $quick " == *" $word "* ]]; then skip=1
    else kept+=("$word"); fi
  done
  printf '%s\n' "${kept[@]}"
  # shellcheck disable=SC2086
  [ -z "${quick// /}" ] || printf '%s\n' $quick
}

commands_of() {  # DOCUMENT
  awk -v tables="$([[ $1 == */README.md || $1 == */papers.md ]] && echo 1)" '
    /^```/ { shell = ($0 == "```sh"); next }
    shell { print; next }
    tables && /^\|/ {
      n = split($0, cell, "|")
      rest = cell[n - 1]
      while (match(rest, /`[^`]+`/)) {
        print substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
      }
    }' "$1" | sed -E 's/[[:space:]]+#.*//; s/^(build\/)?legwork /legwork /' | grep '^legwork ' | grep -v '^legwork study studies/'
}

# The examples of the verbs' help, those first that write what others read.
help_examples() {
  local verb
  for verb in drop walk modes direct script discover reach gait compare render export run rerun study view inspect compile check creatures; do
    "$legwork" "$verb" --help | awk '/^Examples/ {on = 1; next} /^[A-Z]/ {on = 0} on' | sed -nE 's/^ *(legwork .*)/\1/p'
  done
}

# Runs the commands of one document, read from stdin. Examples of help may name files that only their user has.
run_all() {  # DOCUMENT
  local document=$1 folder=$scratch/$1 command words status
  mkdir -p "$folder/docs/pictures"
  for name in examples creatures studies algorithms; do ln -s "$root/$name" "$folder/$name"; done
  while IFS= read -r command; do
    eval "words=(${command#legwork })" || { echo "$document: cannot read: $command"; continue; }
    mapfile -t words < <(shorten "${words[@]}")
    echo . >> "$scratch/ran"
    (cd "$folder" && timeout 600 "$legwork" "${words[@]}") > "$folder/out" 2>&1 < /dev/null
    status=$?
    [ $status = 0 ] && continue
    [ "$document" = help ] && grep -qE "there is no such file|cannot open" "$folder/out" && continue
    echo "$document: $command"; echo "  run as: legwork ${words[*]}"; echo "  exit code $status:"; tail -3 "$folder/out" | sed 's/^/  /'
  done
}

# A command that several documents have runs as often; two documents at a time.
touch "$scratch/ran"
running=0
start() {  # DOCUMENT, commands on stdin
  run_all "$1" > "$scratch/${1//\//+}.bad" < "$2" &
  running=$((running + 1))
  if [ $running -ge 2 ]; then wait -n; running=$((running - 1)); fi
}
help_examples > "$scratch/help.list"
start help "$scratch/help.list"
for document in "$root"/README.md "$root"/docs/*.md "$root"/docs/how/*.md; do
  [[ $document == */options.md ]] && continue
  name=${document#"$root"/}
  commands_of "$document" > "$scratch/${name//\//+}.list"
  start "$name" "$scratch/${name//\//+}.list"
done
wait
cat "$scratch"/*.bad >&2
count=$(wc -l < "$scratch/ran")
echo "$count commands ran"
[ "$count" -ge 140 ] || { echo "too few commands were found" >&2; exit 1; }
[ -z "$(cat "$scratch"/*.bad)" ]
