#!/usr/bin/env bash
# usage: include_order.sh ROOT
# A room of src/ includes only rooms above it; methods do not include each other; nothing in the library includes cli/,
# tests/ or bench/; other libraries' headers stay in .cpp files (Eigen may be in private headers). Public headers
# (include/legwork/) include the standard library and each other.
set -u
cd "$1" || exit 2

# A room's place in the order; rooms of one place do not include each other. The folders of formats/ are one room.
declare -A rank=([base]=0 [math]=1 [creature]=2 [dynamics]=3 [ground]=4 [sim]=5 [motion]=6 [search]=7 [compile]=7 [control]=8 [life]=8
  [walk]=9 [discover]=9 [evolve]=9 [direct]=9 [modes]=9 [reach]=9
  [formats]=10 [physics]=10 [scenario]=11 [archive]=11 [corpus]=12 [load]=13 [report]=14 [render]=14 [methods]=15)
include='#[[:space:]]*include[[:space:]]*[<"]([^>"]*)[>"]'

bad=0
complain() {
  echo "$1:$2: $3" >&2
  bad=1
}

for folder in src/*/; do
  room=$(basename "$folder")
  [ "$room" = '*' ] && continue
  [ -z "${rank[$room]:-}" ] && complain "$folder" 1 "room '$room' is not in the order of rooms; add it to $0"
done

check_room() {  # FILE LINE TEXT TARGET
  local room=${1#src/} other=${4%%/*}
  room=${room%%/*}
  local mine=${rank[$room]:-} theirs=${rank[$other]:-}
  [ -z "$mine" ] && return
  if [ -z "$theirs" ]; then
    complain "$1" "$2" "includes '$4', which is in no known room"
  elif [ "$theirs" -gt "$mine" ]; then
    complain "$1" "$2" "room '$room' includes '$4', but '$other' stands below it"
  elif [ "$theirs" -eq "$mine" ] && [ "$other" != "$room" ]; then
    complain "$1" "$2" "room '$room' includes '$4', but '$other' stands beside it; move what both need to a room above"
  fi
}

while IFS=: read -r file line text; do
  [[ $text =~ $include ]] || continue
  target=${BASH_REMATCH[1]}
  case $text in
    *\"*\"*)
      case $target in
        cli/* | tests/* | bench/*) complain "$file" "$line" "the library includes '$target'" ;;
        legwork/*) complain "$file" "$line" "includes \"$target\"; public headers are included as <$target>" ;;
        */*)
          if [[ $file == include/* ]]; then
            complain "$file" "$line" "public header includes '$target', which is private"
          else
            check_room "$file" "$line" "$text" "$target"
          fi
          ;;
        *) complain "$file" "$line" "includes \"$target\"; write the room as well, \"ROOM/$target\"" ;;
      esac
      ;;
    *)
      case $target in
        legwork/*) ;;
        Eigen/* | immintrin.h) [[ $file == include/* ]] && complain "$file" "$line" "public header includes <$target>" ;;
        */* | *.h*) [[ $file == *.h ]] && complain "$file" "$line" "header includes <$target>; keep that dependency in the .cpp" ;;
      esac
      ;;
  esac
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' src include --include='*.h' --include='*.cpp' 2>/dev/null)

exit $bad
