#!/usr/bin/env bash
# usage: commands.sh ROOT LEGWORK
# Every command of a ```sh block, and of the last column of the tables in README.md and papers.md, runs: in the order of its
# document, in a folder of its own, in a short form (fewer seconds, candidates, rays). A block marked ```sh long and the
# studies of papers.md are only read, by documents.sh.
set -u
root=$1 legwork=$2
bad=0 count=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The options that make a verb quick; they replace what the command says.
declare -A short=(
  [walk]="--seconds 0.2 --evaluations 2"
  [drop]="--seconds 0.6"
  [direct]="--seconds 0.2"
  [modes]="--seconds 1"
  [script]="--seconds 0.05"
  [discover]="--random 24 --vary 8 --gaits 3 --tune 2 --seconds 2"
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

for document in "$root"/README.md "$root"/docs/*.md "$root"/docs/how/*.md; do
  [[ $document == */options.md ]] && continue
  folder=$scratch/${document#"$root"/}
  mkdir -p "$folder/docs/pictures"
  for name in examples creatures studies algorithms; do ln -s "$root/$name" "$folder/$name"; done
  while IFS= read -r command; do
    eval "words=(${command#legwork })" || { echo "$document: cannot read: $command" >&2; bad=1; continue; }
    mapfile -t words < <(shorten "${words[@]}")
    count=$((count + 1))
    (cd "$folder" && timeout 300 "$legwork" "${words[@]}") > "$scratch/out" 2>&1 < /dev/null
    status=$?
    if [ $status != 0 ]; then
      { echo "$document: $command"; echo "  run as: legwork ${words[*]}"; echo "  exit code $status:"; tail -3 "$scratch/out" | sed 's/^/  /'; } >&2
      bad=1
    fi
  done < <(commands_of "$document")
done
echo "$count commands ran"
[ $count -ge 40 ] || { echo "too few commands were found" >&2; bad=1; }
exit $bad
