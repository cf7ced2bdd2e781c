#!/usr/bin/env bash
# usage: documents.sh ROOT LEGWORK
# The documents say what is there: every option (docs/options.md is what the program says), every verb in the README,
# every relative link and picture, every command's verb and options.
set -u
cd "$1" || exit 2
legwork=$2
bad=0
complain() {
  echo "$*" >&2
  bad=1
}

diff <(scripts/options_reference.sh "$legwork") docs/options.md >&2 ||
  complain "docs/options.md: not what the program says; run: scripts/options_reference.sh build/legwork > docs/options.md"

for verb in $("$legwork" --help | awk '/^Verbs/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
  grep -q "legwork $verb\b" README.md || complain "README.md: verb '$verb' has no example"
done

documents=(README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/how/*.md)
while IFS= read -r found; do
  file=${found%%:*} target=${found#*:}
  target=${target%%#*}
  [[ -z $target || $target == *://* || $target == mailto:* ]] && continue
  [ -e "$(dirname "$file")/$target" ] || complain "$file: link to '$target' leads nowhere"
done < <(grep -oHE '\]\([^) ]+' "${documents[@]}" | sed 's/:\](/:/')

# each command of a code block or in backquotes: a known verb with known options
for file in "${documents[@]}"; do
  while IFS= read -r command; do
    read -r -a words <<< "$command"
    verb=${words[0]}
    [[ $verb =~ ^[a-z]+$ ]] || continue
    help=$("$legwork" "$verb" --help 2> /dev/null) || {
      complain "$file: 'legwork $command': no such verb"
      continue
    }
    for word in "${words[@]:1}"; do
      flag=${word%%=*}
      [[ $flag =~ ^--[a-z-]+$ ]] || continue
      grep -qE -- "(^|[ ,])$flag( |$)" <<< "$help" || complain "$file: 'legwork $command': no option $flag"
    done
  done < <(grep -oE '(^|`|^ *|build/)legwork [a-z]+[^`|#&>]*' "$file" | sed -E 's/^.*legwork //' | sort -u)
done
exit $bad
