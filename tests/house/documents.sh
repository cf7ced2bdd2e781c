#!/usr/bin/env bash
# usage: documents.sh ROOT LEGWORK
# The documents say what is there: every option (docs/options.md is what the program says), every verb in the README,
# every relative link and picture, every command's verb and options, every key of the files that Legwork reads.
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

diff <(scripts/creature_reference.sh "$legwork") docs/creature_file.md >&2 ||
  complain "docs/creature_file.md: not what the program says; run: scripts/creature_reference.sh build/legwork > new && mv new docs/creature_file.md"

for verb in $("$legwork" --help | awk '/^Verbs/ {on = 1; next} /^$/ {on = 0} on {print $1}'); do
  grep -q "legwork $verb\b" README.md || complain "README.md: verb '$verb' has no example"
done

# every key that a reader asks its file for stands in the document of that file
keys_of() {
  grep -ohE '([.>](find|has|number|unbounded|boolean|text|vec3|numbers|texts|choice|required_text|tables?)\(|only_one_of\(\{)("[a-z_]+"(, )?)+' \
    "$@" | grep -oE '"[a-z_]+"' | tr -d '"' | sort -u
}
describes() {  # DOCUMENT SOURCE...
  local document=$1 key keys
  keys=$(keys_of "${@:2}")
  [ -n "$keys" ] || complain "$document: no keys were found in ${*:2}"
  for key in $keys; do
    grep -qw -- "$key" "$document" || complain "$document: key '$key' is not described; ${*:2} read it"
  done
}
creature_readers=(src/formats/toml/creature_toml.cpp src/load/world_toml.cpp src/formats/toml/toml_{joint,link,pose,roles,shape}.cpp)
describes docs/creature_file.md "${creature_readers[@]}"
# and every described key is read; kinds are looked up in the description itself
"$legwork" creatures --keys | awk -F '`' '/^\| key/ {on = 1} /^\| kind/ {on = 0} on && /^\| `/ {print $2}' | sort -u | while IFS= read -r key; do
  grep -qF "\"$key\"" "${creature_readers[@]}" || echo "$key"
done | grep . && complain "src/formats/toml/creature_keys.cpp: these keys are described, and no reader asks for them"
describes docs/direct.md src/formats/toml/program_toml.cpp
describes docs/gait.md src/formats/toml/gait_toml.cpp
describes docs/scenario_file.md src/scenario/scenario.cpp src/scenario/study.cpp

# every page is on the site
for page in docs/*.md docs/how/*.md; do
  grep -q ": ${page#docs/}\$" mkdocs.yml || complain "mkdocs.yml: $page is not in its nav"
done

anchors_of() {  # headings as links name them
  grep -E '^#+ ' "$1" | sed -E 's/^#+ //' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

documents=(README.md CONTRIBUTING.md CHANGELOG.md examples/README.md docs/*.md docs/how/*.md)
while IFS= read -r found; do
  file=${found%%:*} target=${found#*:}
  [[ $target == *://* || $target == mailto:* ]] && continue
  path=${target%%#*} anchor=
  [[ $target == *#* ]] && anchor=${target#*#}
  if [ -n "$path" ]; then path=$(dirname "$file")/$path; else path=$file; fi
  [ -e "$path" ] || complain "$file: link to '$target' leads nowhere"
  [ -z "$anchor" ] || anchors_of "$path" | grep -qx -- "$anchor" || complain "$file: link to '$target': no such heading"
done < <(grep -oHE '\]\([^) ]+' "${documents[@]}" | sed 's/:\](/:/')

# pictures are small, and all of them are shown
for picture in docs/pictures/*; do
  [ "$(stat -c %s "$picture")" -lt 150000 ] || complain "$picture: 150 kB or more; convert $picture -colors 256 PNG8:$picture"
  grep -qF "pictures/${picture##*/}" "${documents[@]}" || complain "$picture: no document shows it"
done

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
