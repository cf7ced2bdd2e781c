#!/usr/bin/env bash
# usage: include_order.sh ROOT
# A room of legwork/ includes only rooms above it; the five methods do not include each other; nothing in the
# library includes cli/, tests/ or bench/; public headers include the standard library, Eigen and legwork only.
set -u
cd "$1" || exit 2

# A room's rank in the order of docs; the methods share one rank and may not include each other.
rank() {
  case $1 in
    base) echo 0 ;; math) echo 1 ;; creature) echo 2 ;; dynamics) echo 3 ;; ground) echo 4 ;; sim) echo 5 ;;
    motion) echo 6 ;; search) echo 7 ;; walk | discover | direct | modes | reach) echo 8 ;; io) echo 9 ;;
    *) echo none ;;
  esac
}

bad=0
complain() {
  echo "$1:$2: $3" >&2
  bad=1
}

for folder in legwork/*/; do
  room=$(basename "$folder")
  [ "$room" = '*' ] && continue
  [ "$(rank "$room")" = none ] && complain "$folder" 1 "room '$room' is not in the order of rooms; add it to $0"
done

while IFS=: read -r file line text; do
  room=${file#legwork/}
  room=${room%%/*}
  mine=$(rank "$room")
  [ "$mine" = none ] && continue
  target=$(sed -E 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]*)[>"].*/\1/' <<<"$text")
  case $target in
    legwork/*)
      other=${target#legwork/}
      other=${other%%/*}
      theirs=$(rank "$other")
      if [ "$theirs" = none ]; then
        complain "$file" "$line" "includes '$target', which is in no known room"
      elif [ "$theirs" -gt "$mine" ]; then
        complain "$file" "$line" "room '$room' includes '$target', but '$other' stands below it"
      elif [ "$theirs" -eq "$mine" ] && [ "$other" != "$room" ]; then
        complain "$file" "$line" "method '$room' includes method '$other'; move what both need to a room above"
      fi
      ;;
    cli/* | tests/* | bench/*) complain "$file" "$line" "the library includes '$target'" ;;
    Eigen/*) ;;
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
