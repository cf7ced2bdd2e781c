#!/usr/bin/env bash
# usage: include_order.sh ROOT
# A room of legwork/ includes only rooms above it; the five methods do not include each other; nothing in the
# library includes cli/, tests/ or bench/; public headers include the standard library, Eigen and legwork only.
set -u
cd "$1" || exit 2

# A room's place in the order; the methods share one.
declare -A rank=([base]=0 [math]=1 [creature]=2 [dynamics]=3 [ground]=4 [sim]=5 [motion]=6 [search]=7
  [walk]=8 [discover]=8 [direct]=8 [modes]=8 [reach]=8 [io]=9)
include='#[[:space:]]*include[[:space:]]*[<"]([^>"]*)[>"]'

bad=0
complain() {
  echo "$1:$2: $3" >&2
  bad=1
}

for folder in legwork/*/; do
  room=$(basename "$folder")
  [ "$room" = '*' ] && continue
  [ -z "${rank[$room]:-}" ] && complain "$folder" 1 "room '$room' is not in the order of rooms; add it to $0"
done

while IFS=: read -r file line text; do
  room=${file#legwork/}
  room=${room%%/*}
  mine=${rank[$room]:-}
  [ -z "$mine" ] && continue
  [[ $text =~ $include ]] || continue
  target=${BASH_REMATCH[1]}
  case $target in
    legwork/*)
      other=${target#legwork/}
      other=${other%%/*}
      theirs=${rank[$other]:-}
      if [ -z "$theirs" ]; then
        complain "$file" "$line" "includes '$target', which is in no known room"
      elif [ "$theirs" -gt "$mine" ]; then
        complain "$file" "$line" "room '$room' includes '$target', but '$other' stands below it"
      elif [ "$theirs" -eq "$mine" ] && [ "$other" != "$room" ]; then
        complain "$file" "$line" "method '$room' includes method '$other'; move what both need to a room above"
      fi
      ;;
    cli/* | tests/* | bench/*) complain "$file" "$line" "the library includes '$target'" ;;
    Eigen/* | immintrin.h) ;;
    *)
      if [[ $text == *\"*\"* ]]; then
        complain "$file" "$line" "includes \"$target\"; write the whole path, \"legwork/$room/...\""
      elif [[ $file == *.h && ($target == */* || $target == *.h*) ]]; then
        complain "$file" "$line" "public header includes <$target>; keep that dependency in the .cpp"
      fi
      ;;
  esac
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' legwork --include='*.h' --include='*.cpp')

exit $bad
